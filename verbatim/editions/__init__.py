"""The whole book in one file, for each language: an EPUB for e-readers, a PDF for paper."""
