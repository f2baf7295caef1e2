"""Run example scripts and put what they print on the pages that show them."""
