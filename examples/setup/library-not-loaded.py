"""A library does not load: missing, cut off, or not a library."""

# %% look fold=true varies=true
import subprocess
import sys


def python(code):
    print(f'$ python -c "{code}"', flush=True)
    subprocess.run([sys.executable, "-c", code])


python("import importlib.metadata as m; print(m.version('torch'))")
python("import sys; print(sys.maxsize > 2**32)")

# %% copy fold=true
import importlib.util
from pathlib import Path

installed = Path(importlib.util.find_spec("torch").origin).parent
copy = Path("damaged", "torch")  # links to the installed files
(copy / "lib").mkdir(parents=True)
for folder in (".", "lib"):
    for file in (installed / folder).iterdir():
        if not (copy / folder / file.name).exists():
            (copy / folder / file.name).symlink_to(file)


def import_damaged():
    child = subprocess.run(
        [sys.executable, "-c", "import torch"],
        cwd="damaged",
        capture_output=True,
        text=True,
    )
    for line in child.stderr.splitlines()[-1:]:
        print(line.replace(str(copy.absolute()), "…/site-packages/torch"))


# %% missing-library varies=true
library = next((copy / "lib").glob("libc10.*"))  # .so on Linux, .dylib on macOS
library.unlink()
import_damaged()

# %% truncated-library varies=true
library.write_bytes(b"")
import_damaged()

# %% not-a-library varies=true
library.write_text("version https://git-lfs.github.com/spec/v1\n")
import_damaged()
library.write_text("version https://git-lfs.github.com/spec/v1\n" * 100)
import_damaged()

# %% cut-in-the-middle varies=true
whole = (installed / "lib" / library.name).read_bytes()
library.write_bytes(whole[: len(whole) // 2])
command = [sys.executable, "-c", "import torch"]
ended = subprocess.run(command, cwd="damaged", capture_output=True, text=True)
print(repr(ended.stderr), ended.returncode)

# %% repaired
library.unlink()
library.symlink_to(installed / "lib" / library.name)
size = library.stat().st_size
print("whole again:", size == (installed / "lib" / library.name).stat().st_size)

# %% windows
source = (installed / "__init__.py").read_text(encoding="utf-8")
told = [line.strip() for line in source.splitlines() if "Error loading" in line]
print(told[0])
print("Visual C++ Redistributable is looked for:", "vcruntime140.dll" in source)

# %% winerror-126 needs="windows" raises="OSError" says="[WinError 126] The specified module could not be found." origin="https://learn.microsoft.com/en-us/windows/win32/debug/system-error-codes--0-499-"
import ctypes

raise ctypes.WinError(126)

# %% winerror-127 needs="windows" raises="OSError" says="[WinError 127] The specified procedure could not be found." origin="https://learn.microsoft.com/en-us/windows/win32/debug/system-error-codes--0-499-"
raise ctypes.WinError(127)

# %% winerror-193 needs="windows" raises="OSError" says="[WinError 193] %1 is not a valid Win32 application." origin="https://learn.microsoft.com/en-us/windows/win32/debug/system-error-codes--0-499-"
raise ctypes.WinError(193)

# %% winerror-1114 needs="windows" raises="OSError" says="[WinError 1114] A dynamic link library (DLL) initialization routine failed." origin="https://learn.microsoft.com/en-us/windows/win32/debug/system-error-codes--1000-1299-"
raise ctypes.WinError(1114)

# %% dll-load-failed needs="windows" raises="ImportError" says="DLL load failed while importing …: …" origin="CPython 3.13.0: Python/dynload_win.c"
Path("damaged.pyd").write_bytes(b"")  # what a compiled module is called on Windows
sys.path.insert(0, "")
importlib.import_module("damaged")

# %% imports-again hidden=true
program = "import torch; print(torch.ones(2).sum().item())"
again = subprocess.run([sys.executable, "-c", program], cwd="damaged", capture_output=True, text=True, check=True)
assert again.stdout == "2.0\n"

# %% another-processor hidden=true
if sys.platform == "linux":
    foreign = bytearray(whole)
    foreign[18] = 0xB7 if foreign[18] != 0xB7 else 0x3E  # e_machine: aarch64 or x86_64
    Path("foreign.so").write_bytes(foreign)
    program = "import ctypes; ctypes.CDLL('./foreign.so')"
    child = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "cannot open shared object file: No such file or directory" in child.stderr, child.stderr
    Path("foreign.so").write_bytes(whole[:63])
    child = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "file too short" in child.stderr
