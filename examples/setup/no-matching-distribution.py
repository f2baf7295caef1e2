"""No matching distribution found for torch: made with an index of one's own."""

# %% look fold=true varies=true
import subprocess
import sys


def python(code):
    print(f'$ python -c "{code}"', flush=True)
    subprocess.run([sys.executable, "-c", code])


python("import sys; print(sys.version_info[:2], sys.maxsize > 2**32)")
python("import sysconfig; print(sysconfig.get_platform())")

# %% index fold=true
import os
import threading
import zipfile
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory="."))
threading.Thread(target=server.serve_forever, daemon=True).start()
host = f"http://127.0.0.1:{server.server_port}"


def add(index, name, version, tags):
    """Put a wheel without code into an index."""
    folder = Path(index, name)
    folder.mkdir(parents=True, exist_ok=True)
    info = f"{name}-{version}.dist-info"
    about = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    with zipfile.ZipFile(folder / f"{name}-{version}-{tags}.whl", "w") as wheel:
        wheel.writestr(f"{info}/METADATA", about)
        wheel.writestr(f"{info}/WHEEL", f"Wheel-Version: 1.0\nTag: {tags}\n")
        wheel.writestr(f"{info}/RECORD", "")


def pip(*options):
    """Return what pip says; nothing is installed."""
    usual = {name: value for name, value in os.environ.items() if name[:4] != "PIP_"}
    usual |= {"PIP_CONFIG_FILE": os.devnull, "no_proxy": "127.0.0.1"}
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "--no-cache-dir"]
    command += ["--ignore-installed", "--disable-pip-version-check", *options]
    child = subprocess.run(command, env=usual, capture_output=True, text=True)
    lines = (child.stdout + child.stderr).splitlines()
    return [line for line in lines if line.startswith(("Would install", "ERROR:"))]


# %% other-python
add("old", "torch", "1.4.0", "cp36-cp36m-manylinux1_x86_64")  # one for Python 3.6
print(*pip("torch", "--index-url", f"{host}/old"), sep="\n")

# %% as-another-machine
for tags in ("manylinux_2_28_x86_64", "win_amd64", "macosx_14_0_arm64"):
    add("new", "torch", "2.13.0", f"cp313-cp313-{tags}")


def ask(machine, python, platform, wanted="torch", index="new"):
    options = ("--python-version", python, "--platform", platform)
    options += ("--only-binary", ":all:", "--target", "nowhere")
    *_, last = pip(wanted, "--index-url", f"{host}/{index}", *options)
    print(f"{machine:26}{last}")


ask("Linux, Python 3.13", "3.13", "manylinux_2_28_x86_64")
ask("a newer Python", "3.14", "manylinux_2_28_x86_64")
ask("Python has 32 bits", "3.13", "win32")
ask("a Mac with Intel", "3.13", "macosx_14_0_x86_64")
ask("Raspberry Pi, 32 bits", "3.13", "linux_armv7l")
ask("Alpine (musl)", "3.13", "musllinux_1_2_x86_64")
ask("an older Linux", "3.13", "manylinux_2_17_x86_64")

# %% triton
add("new", "triton", "2.3.0", "cp312-cp312-manylinux_2_17_x86_64")  # Linux alone
ask("Linux", "3.12", "manylinux_2_17_x86_64", "triton==2.3.0")
ask("Windows", "3.12", "win_amd64", "triton==2.3.0")

# %% wrong-version
for version in ("2.12.1", "2.13.0"):
    add("any", "torch", version, "py3-none-any")
print(*pip("torch==2.13.2", "--index-url", f"{host}/any"), sep="\n")

# %% requires-python
file = Path("any/torch/torch-2.13.0-py3-none-any.whl")
link = f'<a href="{file.name}" data-requires-python="&gt;=3.99">{file.name}</a>'
Path("any/torch/index.html").write_text(f"<!DOCTYPE html><body>{link}</body>")
print(*pip("torch==2.13.0", "--index-url", f"{host}/any"), sep="\n")

# %% not-reached
nobody = "http://127.0.0.1:9"
print(*pip("torch", "--index-url", nobody, "--retries", "0"), sep="\n")

# %% fits
from packaging.tags import sys_tags
from packaging.utils import parse_wheel_filename


def fits(file, tags=frozenset(sys_tags())):
    """Whether a wheel of this name can be installed here."""
    return not tags.isdisjoint(parse_wheel_filename(file)[3])


print(fits("torch-1.4.0-cp36-cp36m-manylinux1_x86_64.whl"))
print(fits("torch-2.13.0-py3-none-any.whl"))
print(*pip("old/torch/torch-1.4.0-cp36-cp36m-manylinux1_x86_64.whl"))

# %% agrees hidden=true
tag = next(sys_tags())
file = f"torch-2.13.0-{tag}.whl"
add("here", "torch", "2.13.0", str(tag))
assert fits(file) and pip("torch", "--index-url", f"{host}/here") == ["Would install torch-2.13.0"]
server.shutdown()

# %% newest-missing hidden=true
for release, python in (("2.8.0", "39"), ("2.8.0", "313"), ("2.13.0", "313")):  # nothing lags here
    add("whole", "torch", release, f"cp{python}-cp{python}-manylinux_2_28_x86_64")
local = ("torch==2.13.0", "--no-index", "--find-links", "whole/torch", "--only-binary", ":all:", "--target", "nowhere")
for python, platform in (("3.9", "manylinux_2_28_x86_64"), ("3.13", "manylinux_2_28_x86_64")):
    said = pip(*local, "--python-version", python, "--platform", platform)
    if python == "3.9":  # too old for the newest
        assert "(from versions: 2.8.0)" in said[0], said
    else:
        assert said == ["Would install torch-2.13.0"], said
