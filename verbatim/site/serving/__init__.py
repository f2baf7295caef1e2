"""While serving: what is shown before anything is built, and single pages of what is."""
