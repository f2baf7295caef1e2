"""Imported by the fork server before anything else: libraries read the environment when they are loaded."""

import gc

from verbatim.run.variables import pin

pin()
gc.disable()  # imports leave no garbage worth a search, which took a fifth of their time; `preload` ends this
