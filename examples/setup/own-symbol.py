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


# %% versions needs="gcc"
def versioned(path, versions):
    """A library whose functions carry version names, as those of libstdc++ do."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    script, code, before = "", "", ""
    for version, function in versions.items():
        script += f"STD_{version} {{ global: {function}; }} {before};\n"
        code += f"int {function}(void) {{ return 1; }}\n"
        before = f"STD_{version}"
    with open("versions.map", "w") as file:
        file.write(script)
    named = ("-Wl,--version-script=versions.map", "-Wl,-soname,libstd.so.6")
    library(path, code, *named)


versioned("system/libstd.so.6", {"3.4.30": "old_function"})
newer = {"3.4.30": "old_function", "3.4.32": "new_function"}
versioned("conda/libstd.so.6", newer)
code = "int new_function(void); int run(void) { return new_function(); }"
library("own/libextension.so", code, "-Lconda", "-l:libstd.so.6")

# %% newer-needed needs="gcc"
program = "import ctypes; print(ctypes.CDLL('own/libextension.so').run())"
load(LD_LIBRARY_PATH="system")

# %% newer-found needs="gcc"
load(LD_LIBRARY_PATH="conda")

# %% has-version needs="gcc"
import re


def names(file, prefix):
    """The version names in a library, as `strings FILE | grep PREFIX` finds."""
    with open(file, "rb") as binary:
        found = re.findall(rb"\b%s[\d.]+" % prefix.encode(), binary.read())
    return sorted({name.decode() for name in found})


print("system:", names("system/libstd.so.6", "STD_"))
print("conda: ", names("conda/libstd.so.6", "STD_"))

# %% this-machine varies=true needs="gcc"
import platform

print("glibc:", *platform.libc_ver())
command = ["gcc", "-print-file-name=libstdc++.so.6"]
file = subprocess.run(command, capture_output=True, text=True).stdout.strip()
numbers = [name.split(".")[2] for name in names(file, "GLIBCXX_3.4.")]
print("libstdc++: GLIBCXX_3.4." + max(numbers, key=int))

# %% musl
from packaging.tags import Tag
from packaging.utils import parse_wheel_filename

alpine = {Tag("cp313", "cp313", "musllinux_1_2_x86_64")}
debian = {Tag("cp313", "cp313", "manylinux_2_28_x86_64")}
wheel = "torch-2.13.0-cp313-cp313-manylinux_2_28_x86_64.whl"
tags = parse_wheel_filename(wheel)[3]
print("Alpine:   ", not tags.isdisjoint(alpine))
print("Debian 12:", not tags.isdisjoint(debian))
