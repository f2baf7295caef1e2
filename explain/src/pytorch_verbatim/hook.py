"""``import pytorch_verbatim.hook`` explains the errors that end a program or a thread, below Python's own traceback."""

from pytorch_verbatim.telling import install

install()
