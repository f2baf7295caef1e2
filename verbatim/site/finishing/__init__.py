"""The last steps of a site: its styles, its policy, and how it replaces the old one."""
