"""What others show of a page: the picture beside a link to it, its data for crawlers."""
