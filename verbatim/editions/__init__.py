"""The book, or a chapter of it, in one file a language: an EPUB for e-readers, a PDF for paper."""
