"""A frozen program: no source, another way to start workers, files in another folder."""

# %% without-source
import compileall
import re
import subprocess
import sys
from pathlib import Path

Path("scripted.py").write_text("""\
import torch

@torch.jit.script
def double(x):
    return 2 * x

print(double(torch.ones(2)))
""")


def frozen(name):
    """Run a program of which only the bytecode is left, as a frozen one has it."""
    compileall.compile_file(f"{name}.py", legacy=True, quiet=1)
    Path(f"{name}.py").rename(f"{name}.txt")
    command = [sys.executable, "-W", "ignore", f"{name}.pyc"]
    child = subprocess.run(command, capture_output=True, text=True)
    for line in (child.stdout + child.stderr).splitlines():
        if line.startswith(("OSError", "tensor")):
            print(re.sub(r" at 0x\w+", "", line))


frozen("scripted")

# %% load-instead
import warnings

import torch

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # TorchScript is deprecated
    scripted = torch.jit.script(torch.nn.Sequential(torch.nn.ReLU()))
    scripted.save("model.pt")  # before freezing, where the source is
Path("loads.py").write_text("""\
import torch
print(torch.jit.load("model.pt")(torch.tensor([-1.0, 2.0])))
""")
frozen("loads")

# %% workers
from multiprocessing import spawn
from unittest.mock import patch


def started():
    """The arguments with which a worker is started, without its numbers."""
    return [one.split(";")[0] for one in spawn.get_command_line(pipe_handle=7)[1:]]


usual = started()
print("usual: ", usual[usual.index("-c") :])  # behind flags of this Python
with patch.object(spawn, "WINSERVICE", False):
    with patch.object(sys, "frozen", True, create=True):
        print("frozen:", started())

# %% freeze-support
arguments = ["program.exe", "--multiprocessing-fork", "pipe_handle=7"]
print(spawn.is_forking(arguments))
print(spawn.is_forking(["program.exe", "--epochs", "3"]))


# %% last-lines
import multiprocessing


def main():
    print("training")


if __name__ == "__main__":
    multiprocessing.freeze_support()  # before anything else
    main()


# %% files
def beside(name):
    """A file that was packed along, or that lies beside the script."""
    folder = getattr(sys, "_MEIPASS", Path("scripts"))  # PyInstaller sets it
    return Path(folder, name)


print(beside("model.pt").as_posix())
with patch.object(sys, "_MEIPASS", "/tmp/_MEI1234", create=True):
    print(beside("model.pt").as_posix())

# %% really needs="pyinstaller"
Path("program.py").write_text("""\
import inspect
import multiprocessing
import sys
from pathlib import Path


def main():
    print("frozen:", sys.frozen)
    print("packed file:", Path(sys._MEIPASS, "classes.txt").read_text())
    try:
        inspect.getsource(main)
    except OSError as error:
        print("no source:", error)
    context = multiprocessing.get_context("spawn")
    worker = context.Process(target=print, args=["a worker"])
    worker.start()
    worker.join()


if __name__ == "__main__":
    multiprocessing.freeze_support()
    main()
""")
Path("classes.txt").write_text("cat dog")
command = [sys.executable, "-m", "PyInstaller", "--onedir", "program.py"]
command += ["--add-data", "classes.txt:.", "--log-level", "ERROR"]
subprocess.run(command, check=True, capture_output=True)
program = Path("dist", "program", "program")
print(subprocess.run([program], capture_output=True, text=True).stdout.strip())

# %% size varies=true
import importlib.util

package = Path(importlib.util.find_spec("torch").origin).parent
sizes = {}
for file in package.rglob("*"):
    if file.is_file():
        part = file.relative_to(package).parts[0]
        sizes[part] = sizes.get(part, 0) + file.stat().st_size
total = sum(sizes.values())
for part, size in sorted(sizes.items(), key=lambda one: -one[1])[:3]:
    print(f"{part:10} {size / total:.0%}")

# %% still-there hidden=true
assert not Path("scripted.py").exists() and Path("scripted.pyc").exists()
Path("others.py").write_text("""\
import torch

class Twice(torch.nn.Module):
    def forward(self, x):
        return 2 * x

x = torch.ones(2)
assert torch.compile(Twice(), backend="eager", fullgraph=True)(x).tolist() == [2, 2]
assert torch.jit.trace(Twice(), x)(x).tolist() == [2, 2]
print(torch.export.export(Twice(), (x,)).module()(x))
try:
    torch.jit.script(Twice())
except OSError as error:
    assert "Can't get source" in str(error)
else:
    raise AssertionError("scripted without source")
""")
compileall.compile_file("others.py", legacy=True, quiet=1)
Path("others.py").unlink()
command = [sys.executable, "-W", "ignore", "others.pyc"]
child = subprocess.run(command, capture_output=True, text=True, check=True)
assert child.stdout.startswith("tensor([2., 2.]"), child.stdout
