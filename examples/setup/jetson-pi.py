"""Jetson, Raspberry Pi and other Arm boards: which PyTorch, and the first checks."""

# %% look fold=true varies=true
import subprocess
import sys


def python(code):
    print(f'$ python -c "{code}"', flush=True)
    subprocess.run([sys.executable, "-c", code])


python("import platform; print(platform.machine())")
python("import sysconfig; print(sysconfig.get_platform())")
python("import sys; print(sys.maxsize > 2**32)")


# %% which
def which_torch(python_platform, bits, jetpack=0):
    """What to install on a board."""
    if bits != 64 or not python_platform.endswith(("aarch64", "arm64")):
        return "none: install a 64-bit system"
    if jetpack == 0:
        return "pip install torch --index-url https://download.pytorch.org/whl/cpu"
    if jetpack < 7:
        return "NVIDIA's wheel for this JetPack and Python"
    return "pip install torch --index-url https://download.pytorch.org/whl/cu130"


print("Pi, 64-bit system:      ", which_torch("linux-aarch64", 64))
print("Pi, 32-bit Python:      ", which_torch("linux-armv7l", 32))
print("Jetson Orin, JetPack 6: ", which_torch("linux-aarch64", 64, jetpack=6))
print("Jetson Thor, JetPack 7: ", which_torch("linux-aarch64", 64, jetpack=7))

# %% jetpack
import re
from pathlib import Path


def jetpack(file="/etc/nv_tegra_release"):
    """The JetPack of a Jetson, from the release of its Linux; 0 elsewhere."""
    if not Path(file).exists():
        return 0
    release = int(re.match(r"# R(\d+)", Path(file).read_text())[1])
    return {32: 4, 34: 5, 35: 5, 36: 6, 38: 7}.get(release, 0)


Path("orin").write_text("# R36 (release), REVISION: 4.3, GCID: 38968081")
print("an Orin:", jetpack("orin"), " no file:", jetpack("missing"))

# %% code-for-card varies=true
python("import torch; print('sm_87' in torch.cuda.get_arch_list())")

# %% illegal-instruction
program = "import os, signal; os.kill(os.getpid(), signal.SIGILL)"
child = subprocess.run([sys.executable, "-c", program])
print("in Python:", child.returncode, " in a shell:", 128 - child.returncode)

# %% features varies=true
info = Path("/proc/cpuinfo")
text = info.read_text() if info.exists() else ""
line = re.search(r"^(?:Features|flags)\s*:(.*)$", text, re.MULTILINE)
flags = set(line[1].split()) if line else set()
print({name: name in flags for name in ("asimd", "asimddp", "bf16", "sve")})

# %% edges hidden=true
assert which_torch("linux-aarch64", 32).startswith("none") and which_torch("macosx-14.0-arm64", 64).endswith("cpu")
assert jetpack() in (0, 4, 5, 6, 7)
