"""The commands of ``python -m verbatim``, a module for each: its ``main`` takes the options, returns the exit code.

`arguments` says which commands and options there are. A command's module is imported when the command is given, so
that `run` and `record` need PyTorch, NumPy and Matplotlib alone: a bare machine with a GPU can record.
"""
