"""The kernel died: run the same code in a terminal, where the last words are printed."""

# %% ends
import signal
import subprocess
import sys


def run(code, *options):
    command = [sys.executable, *options, "-c", code]
    return subprocess.run(command, capture_output=True, text=True)


crash = "import ctypes\n\nctypes.string_at(0)  # reads where no memory is"
died = run(crash)
print(repr(died.stderr), signal.Signals(-died.returncode).name)

# %% faulthandler
died = run(crash, "-X", "faulthandler")
for line in died.stderr.splitlines():
    if "Fatal" in line or "<string>" in line:
        print(line)

# %% killed
died = run("import os, signal\n\nos.kill(os.getpid(), signal.SIGKILL)")
print(repr(died.stderr), signal.Signals(-died.returncode).name)

# %% codes
for number in (signal.SIGKILL, signal.SIGSEGV, signal.SIGILL, signal.SIGABRT):
    print(f"{number.name}: 128 + {number.value} = {128 + number}")
