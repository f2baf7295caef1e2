"""Loaded by the tests' Dask workers: their fork servers import torch, and nothing of what it imports late."""

from verbatim.run import server

server.ensure.__defaults__ = ((), "")
