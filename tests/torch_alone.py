"""Loaded by the tests' Dask workers: their fork servers import torch, and what the first script needs."""

from verbatim.run import isolate

isolate.may_have = isolate.late
