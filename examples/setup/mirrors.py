"""A mirror in place of PyPI, or of PyTorch's own index: what pip finds there."""

# %% indexes fold=true
import os
import re
import subprocess
import sys
import threading
import zipfile
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory="served"))
threading.Thread(target=server.serve_forever, daemon=True).start()
host = f"http://127.0.0.1:{server.server_port}"


def add(folder, name, version, *requires):
    """Put a wheel without code into a folder."""
    file = Path("served", folder, f"{name}-{version}-py3-none-any.whl")
    file.parent.mkdir(parents=True, exist_ok=True)
    needs = "".join(f"Requires-Dist: {one}\n" for one in requires)
    about = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{needs}"
    with zipfile.ZipFile(file, "w") as wheel:
        info = f"{name}-{version}.dist-info"
        wheel.writestr(f"{info}/METADATA", about)
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")


local = re.compile("PIP_|.*_PROXY$", re.IGNORECASE)  # what this machine has set
usual = {name: value for name, value in os.environ.items() if not local.match(name)}
usual |= {"PIP_CONFIG_FILE": os.devnull, "NO_PROXY": "127.0.0.1"}


def short(text):
    return text.replace(host, "…")


def pip(*options, **variables):
    """Ask pip what it would install; nothing is installed."""
    settings = [f"({name}={value})" for name, value in variables.items()]
    print("$ pip install", *map(short, options), *map(short, settings))
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "--no-cache-dir"]
    command += ["--ignore-installed", "--disable-pip-version-check", *options]
    env = usual | variables
    child = subprocess.run(command, env=env, capture_output=True, text=True)
    for line in (child.stdout + child.stderr).splitlines():
        if line.startswith(("Would install", "ERROR:")):
            print(line)


# %% mirror-of-what
add("pypi/torch", "torch", "2.13.0")  # as on PyPI, and on a mirror of it
add("pypi/transformers", "transformers", "5.0.0", "torch")
add("cu126/torch", "torch", "2.13.0+cu126")  # as in PyTorch's own index

pip("torch", "--index-url", f"{host}/pypi")
pip("torch", "--index-url", f"{host}/cu126")

# %% no-such-build
pip("torch==2.13.0+cu126", "--index-url", f"{host}/pypi")

# %% torch-alone
pip("torch", "transformers", "--index-url", f"{host}/cu126")

# %% both
both = ("--index-url", f"{host}/pypi", "--extra-index-url", f"{host}/cu126")
pip("torch", *both)
add("pypi/torch", "torch", "2.13.1")  # PyPI has it first
pip("torch", *both)
pip("torch==2.13.0+cu126", "transformers", *both)

# %% behind
add("behind/torch", "torch", "2.12.1")  # a mirror that has not been updated
pip("torch", "--index-url", f"{host}/behind")
pip("torch==2.13.0", "--index-url", f"{host}/behind")

# %% flat
add("wheels", "torch", "2.13.0+cu126")  # files of all packages in one folder
pip("torch==2.13.0+cu126", "--index-url", f"{host}/wheels")
wanted = "torch==2.13.0+cu126"
pip(wanted, "--no-index", "--find-links", f"{host}/wheels/")

# %% settings
Path("pip.conf").write_text(f"[global]\nindex-url = {host}/behind\n")
usual["PIP_CONFIG_FILE"] = "pip.conf"
pip("torch")
pip("torch", PIP_INDEX_URL=f"{host}/pypi")
pip("torch", "--index-url", f"{host}/cu126", PIP_INDEX_URL=f"{host}/pypi")
Path("requirements.txt").write_text(f"--index-url {host}/behind\ntorch\n")
pip("-r", "requirements.txt", "--index-url", f"{host}/cu126")
usual["PIP_CONFIG_FILE"] = os.devnull

# %% proxy
add("http:/index.example/torch", "torch", "2.13.0")  # the server plays the proxy
usual["PIP_TRUSTED_HOST"] = "index.example"  # as it is http
pip("torch", "--index-url", "http://index.example", HTTP_PROXY=host)

# %% socks
proxy = "socks5://127.0.0.1:1080"
pip("torch", "--index-url", "http://index.example", HTTP_PROXY=proxy)

# %% conda
cpu = {"build": "cpu_generic_py313_0", "number": 0, "depends": set()}
cuda = {"build": "cuda129_generic_py313_200", "number": 200, "depends": {"__cuda"}}


def chosen(channels, machine):
    """The highest of the first channel with a build that this machine may have."""
    for channel in channels:
        if fits := [one for one in channel if one["depends"] <= machine]:
            return max(fits, key=lambda one: one["number"])["build"]


forge, old_mirror = [cpu, cuda], [cpu]
print("driver seen:          ", chosen([forge], {"__cuda"}))
print("no driver seen:       ", chosen([forge], set()))
print("first channel has CPU:", chosen([old_mirror, forge], {"__cuda"}))

# %% what-came varies=true
import importlib.metadata

import torch

print("installed:", importlib.metadata.version("torch"))
print("CUDA:     ", torch.version.cuda)

# %% same-both-ways hidden=true
from packaging.version import Version

assert Version("2.13.1") > Version("2.13.0+cu126") > Version("2.13.0")
assert chosen([[cuda], [cpu]], set()) == cpu["build"] and chosen([[cuda]], set()) is None


def would(*options, **variables):
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "--no-cache-dir", "--ignore-installed", *options]
    child = subprocess.run(command, env=usual | variables, capture_output=True, text=True)
    return [line for line in child.stdout.splitlines() if line.startswith("Would")]


asked = ("torch", "--index-url", f"{host}/cu126")
for name in ("PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS"):  # both stay in force beside the option
    assert would(*asked, **{name: f"{host}/pypi/torch/" if "FIND" in name else f"{host}/pypi"}) == [
        "Would install torch-2.13.1"
    ], name
outside = ("torch", "--index-url", "http://index.example", "--retries", "0")
trusted = {"PIP_TRUSTED_HOST": "index.example"}
assert would(*outside, **trusted, HTTP_PROXY="http://127.0.0.1:9", http_proxy=host)  # lower case goes first
assert not would(*outside, **trusted, HTTP_PROXY=host, http_proxy="http://127.0.0.1:9")
assert would(*outside, "--proxy", host, **trusted, HTTP_PROXY="http://127.0.0.1:9")
server.shutdown()
