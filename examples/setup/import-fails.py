"""import torch fails: which Python runs, and which torch it finds."""

# %% look fold=true varies=true
import subprocess
import sys


def python(code):
    print(f'$ python -c "{code}"', flush=True)
    subprocess.run([sys.executable, "-c", code])


python("import sys; print(sys.version)")
python("import importlib.metadata as m; print(m.version('torch'))")
python("import importlib.util as u; print(bool(u.find_spec('torch')))")

# %% another-python
import venv
from pathlib import Path

venv.create("fresh")  # an environment without any package
fresh = Path("fresh", "Scripts" if sys.platform == "win32" else "bin", "python")


def last_line(python, program):
    child = subprocess.run([python, "-c", program], capture_output=True, text=True)
    lines = (child.stdout + child.stderr).strip().splitlines()
    return lines[-1].partition(" (")[0] if lines else ""


print(last_line(fresh.absolute(), "import torch"))

# %% same-python
program = "import importlib.util as u; print(u.find_spec('torch') is not None)"
print("fresh environment:", last_line(fresh.absolute(), program))
print("this Python:      ", last_line(sys.executable, program))

# %% shadow
Path("torch.py").write_text("# my experiments with torch\n")
print(last_line(sys.executable, "import torch; torch.ones(2)"))

# %% not-a-package hidden=true
assert "'torch' is not a package" in last_line(sys.executable, "import torch.nn as nn")

# %% which-file
program = """\
import importlib.util, os
file = importlib.util.find_spec("torch").origin
print(os.path.relpath(file) if file.startswith(os.getcwd()) else "site-packages")
"""
print("before:", last_line(sys.executable, program))
Path("torch.py").rename("experiments.py")
print("after: ", last_line(sys.executable, program))

# %% empty-folder
Path("torch").mkdir()  # as a checkout, or a folder of downloads
program = "import torch; print(torch.__file__); torch.ones(2)"
command = [fresh.absolute(), "-c", program]
child = subprocess.run(command, capture_output=True, text=True)
print(child.stdout, child.stderr.splitlines()[-1].partition(" (")[0], sep="")
Path("torch").rmdir()

# %% renamed hidden=true
use = "import torch; torch.ones(2); print('works')"
assert last_line(sys.executable, use) == "works"  # the file is called experiments.py now
Path("torch").mkdir()
assert last_line(sys.executable, use) == "works"  # a folder does no harm where torch is installed
Path("torch", "__init__.py").touch()
assert "AttributeError" in last_line(sys.executable, use)
Path("elsewhere").mkdir()
subprocess.run([sys.executable, "-c", use], cwd="elsewhere", capture_output=True, check=True)

# %% other-names hidden=true
for name in ("copy", "random", "token"):
    mine = Path(f"{name}.py")
    mine.write_text("# my experiments\n")
    said = last_line(sys.executable, use)
    assert "Error" in said, (name, said)
    mine.rename("experiments.py")
