"""What readers find by searching: sections of pages, their terms, the index of them."""
