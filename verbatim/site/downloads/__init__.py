"""What readers and assistants take away: notebooks, Markdown, a zip that is read without a network."""
