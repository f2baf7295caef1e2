"""Imported by the fork server before libraries, when it will fork few processes.

Imports leave no garbage worth a search, which takes a fifth of their time; `preload` ends this. Where many processes
are forked the search pays: without it each of them writes to, and so copies, more pages of the server's memory.
"""

import gc

gc.disable()
