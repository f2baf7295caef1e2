"""undefined symbol: an extension that was built against another PyTorch."""

# %% build needs="gcc"
import subprocess
from pathlib import Path

Path("extension.c").write_text("""\
void _ZN2at6detail12gone_in_2_13Ei(int);
void run(void) { _ZN2at6detail12gone_in_2_13Ei(1); }
""")
command = ["gcc", "-shared", "-fPIC", "extension.c", "-o", "extension.so"]
subprocess.run(command, check=True)
print(Path("extension.so").exists())

# %% load needs="gcc" raises="OSError"
import ctypes

ctypes.CDLL("./extension.so")

# %% demangle needs="gcc"
symbol = "_ZN2at6detail12gone_in_2_13Ei"
print(subprocess.check_output(["c++filt", symbol], text=True), end="")

# %% wanted needs="gcc"
command = ["nm", "--dynamic", "--undefined-only", "extension.so"]
names = subprocess.check_output(command, text=True).split()
print([name for name in names if "2at" in name])

# %% offered
import ctypes
from pathlib import Path

import torch

libtorch = ctypes.CDLL(Path(torch.__file__).parent / "lib" / "libtorch_cpu.so")
print(hasattr(libtorch, "_ZN2at15get_num_threadsEv"))  # at::get_num_threads()
print(hasattr(libtorch, "_ZN2at6detail12gone_in_2_13Ei"))

# %% installed varies=true
import torch

print(torch.__version__, torch.version.cuda)
print(torch.compiled_with_cxx11_abi())
