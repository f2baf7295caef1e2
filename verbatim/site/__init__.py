"""The only folder that knows HTML, MkDocs and Material."""
