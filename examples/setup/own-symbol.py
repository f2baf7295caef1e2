"""undefined symbol in a library of torch itself: another one is found first."""

# %% libraries needs="gcc"
import os
import subprocess
import tempfile

os.chdir(tempfile.mkdtemp())


def library(path, code, *options):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    command = ["gcc", "-shared", "-fPIC", "-x", "c", "-", "-o", path, *options]
    subprocess.run(command, input=code, text=True, check=True)


library("old/libjitlink.so", "int complete_12_1(void) { return 1; }")
library("own/libjitlink.so", "int complete_12_4(void) { return 2; }")
code = "int complete_12_4(void); int run(void) { return complete_12_4(); }"
own = ("-Lown", "-ljitlink", "-Wl,--enable-new-dtags,-rpath,$ORIGIN")
library("own/libsparse.so", code, *own)


# %% load needs="gcc"
import sys

program = "import ctypes; print(ctypes.CDLL('own/libsparse.so').run())"


def load(**variables):
    usual = {**os.environ}
    usual.pop("LD_LIBRARY_PATH", None)
    child = subprocess.run(
        [sys.executable, "-c", program],
        env={**usual, **variables},
        capture_output=True,
        text=True,
    )
    print((child.stdout or child.stderr).splitlines()[-1])


load()
load(LD_LIBRARY_PATH="old")

# %% ldd needs="gcc"
found = subprocess.run(
    ["ldd", "own/libsparse.so"],
    env={**os.environ, "LD_LIBRARY_PATH": "old"},
    capture_output=True,
    text=True,
)
for line in found.stdout.splitlines():
    if "jitlink" in line:
        print(line.split(" (")[0].strip())

# %% cure needs="gcc"
os.environ["LD_LIBRARY_PATH"] = "old"
command = ["env", "-u", "LD_LIBRARY_PATH", sys.executable, "-c", program]
print(subprocess.run(command, capture_output=True, text=True).stdout.strip())
