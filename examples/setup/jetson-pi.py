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
def which_torch(bits, jetpack=0):
    """What to install on an Arm board, for a Python with 32 or 64 bits."""
    if bits != 64:
        return "none: install a 64-bit system"
    if jetpack == 0:
        return "pip install torch --index-url https://download.pytorch.org/whl/cpu"
    if jetpack < 7:
        return "NVIDIA's wheel for this JetPack and Python"
    return "pip install torch --index-url https://download.pytorch.org/whl/cu130"


print("Pi, 64-bit system:      ", which_torch(64))
print("Pi, 32-bit Python:      ", which_torch(32))
print("Jetson Orin, JetPack 6: ", which_torch(64, jetpack=6))
print("Jetson Thor, JetPack 7: ", which_torch(64, jetpack=7))

# %% jetpack
import re
from pathlib import Path


def jetpack(file="/etc/nv_tegra_release"):
    """The JetPack of a Jetson, from the release of its Linux; 0 elsewhere."""
    if not Path(file).exists():
        return 0
    release = int(re.search(r"R(\d+)", Path(file).read_text())[1])
    first = {38: 7, 36: 6, 34: 5, 32: 4, 0: 3}  # the first release of each
    return next(number for since, number in first.items() if release >= since)


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
assert which_torch(32).startswith("none") and which_torch(64).endswith("cpu")
assert jetpack() in (0, 4, 5, 6, 7)
for release, wanted in ((28, 3), (32, 4), (35, 5), (36, 6), (38, 7), (39, 7)):  # a newer one counts as the newest
    Path("board").write_text(f"# R{release} (release), REVISION: 1.0")
    assert jetpack("board") == wanted, release
program = "import os, signal\ntry:\n    os.kill(os.getpid(), signal.SIGILL)\nexcept BaseException:\n    pass\n"
child = subprocess.run([sys.executable, "-X", "faulthandler", "-c", program], capture_output=True, text=True)
assert child.returncode == -4 and "line 3" in child.stderr, child.stderr

# %% platform-of-the-kernel hidden=true
import os
import sysconfig
from unittest.mock import patch

if sys.platform == "linux":
    for machine in ("aarch64", "armv7l"):  # whatever Python is
        kernel = os.uname_result(("Linux", "board", "6.12", "#1", machine))
        with patch("os.uname", lambda: kernel):
            assert sysconfig.get_platform() == f"linux-{machine}"

# %% ordinary-wheel hidden=true
import torch

builds = getattr(torch.cuda, "PYTORCH_RELEASES_CODE_CC", {})  # what PyTorch knows of its wheels
if isinstance(builds.get("13.0"), dict):
    has = builds["13.0"]["aarch64"]
    runs = torch.cuda._code_compatible_with_device
    assert any(runs(110, code) for code in has)  # a Thor
    cuda = tuple(int(number) for number in (torch.version.cuda or "0").split("."))
    release = tuple(int(number) for number in torch.__version__.split(".")[:2])
    if cuda < (13, 2) or release < (2, 14):  # the table of 2.13 excludes an Orin in any build
        assert not any(runs(87, code) for code in has)
    elif release > (2, 14):
        assert any(runs(87, code) for code in has)
