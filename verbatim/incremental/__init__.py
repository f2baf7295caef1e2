"""Decides which pages of an existing site can be reused as they are. Knows no MkDocs.

A page's record (`records`) has the fingerprint of everything that the page depends on, its files, and what other pages
and the search ask of it: a verifying trace in the words of “Build systems à la carte”. `reuse` compares fingerprints
and links the files of pages that are as they were; `inputs` makes the fingerprints of what any page could read.
"""
