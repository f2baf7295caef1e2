"""What the site can be built with when Material is no more: see design/after-material.md."""
