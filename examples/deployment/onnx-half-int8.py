"""A model in ONNX with 16-bit or 8-bit numbers: file, error, and what goes wrong."""

# %% quiet fold=true
import logging
import warnings

warnings.simplefilter("ignore")  # of the exporter
for name in ("torch.onnx", "onnxscript", "root"):
    logging.getLogger(name).setLevel(logging.CRITICAL)

# %% model needs="onnxruntime"
import copy
import tempfile
from pathlib import Path

import onnx
import onnxruntime
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(
    nn.Linear(256, 512),
    nn.ReLU(),
    nn.Linear(512, 512),
    nn.ReLU(),
    nn.Linear(512, 10),
).eval()
samples = torch.randn(32, 256)
with torch.no_grad():
    expected = net(samples)

folder = Path(tempfile.mkdtemp())
whole = folder / "float32.onnx"
options = dict(external_data=False, verbose=False)
options["dynamic_shapes"] = ({0: torch.export.Dim.DYNAMIC},)
torch.onnx.export(net, (samples[:2],), whole, **options)
one_thread = onnxruntime.SessionOptions()
one_thread.intra_op_num_threads = 1
onnxruntime.set_default_logger_severity(4)  # of threads that are not pinned


def run(path, x):
    session = onnxruntime.InferenceSession(path, one_thread)
    (out,) = session.run(None, {session.get_inputs()[0].name: x.numpy()})
    return torch.from_numpy(out)


def compare(path, x):
    out = run(path, x)
    size = path.stat().st_size / whole.stat().st_size
    error = (out.float() - expected).norm() / expected.norm()
    bounds = (0.00001, 0.001, 0.01, 0.03, 0.1, 0.3, 1)
    bound = next(bound for bound in bounds if error < bound)
    print(f"{path.name:14} {out.dtype} file × {size:.2f}, error below {bound}")


compare(whole, samples)

# %% half-model needs="onnxruntime"
half = folder / "half.onnx"
half_net = copy.deepcopy(net).half()
torch.onnx.export(half_net, (samples[:2].half(),), half, **options)
compare(half, samples.half())

# %% wrong-type needs="onnxruntime" raises="onnxruntime.capi.onnxruntime_pybind11_state.InvalidArgument"
run(half, samples)

# %% converted needs="onnxruntime"
from onnxruntime.transformers.float16 import convert_float_to_float16

converted = folder / "converted.onnx"
model = convert_float_to_float16(onnx.load(whole), keep_io_types=True)
onnx.save(model, converted)
compare(converted, samples)

# %% overflow needs="onnxruntime"
large = samples * 1e6  # above 65504, the largest float16
with torch.no_grad():
    by_torch = half_net(large.half())
print("float16 in PyTorch:         finite", by_torch.isfinite().all().item())
by_runtime = run(converted, large)
print("in ONNX Runtime on a CPU:   finite", by_runtime.isfinite().all().item())

# %% dynamic needs="onnxruntime"
from onnxruntime.quantization import quantize_dynamic

int8 = folder / "dynamic.onnx"
quantize_dynamic(whole, int8)
compare(int8, samples)

# %% static needs="onnxruntime"
from onnxruntime.quantization import CalibrationDataReader, quantize_static


class Calibration(CalibrationDataReader):
    def __init__(self, batches):
        self.batches = iter(batches)

    def get_next(self):
        batch = next(self.batches, None)
        return None if batch is None else {"input": batch.numpy()}


for name, factor in {"static": 1, "too-small": 0.1}.items():
    quantized = folder / f"{name}.onnx"
    batches = [factor * torch.randn(32, 256) for _ in range(8)]
    quantize_static(whole, quantized, Calibration(batches))
    compare(quantized, samples)

# %% operators needs="onnxruntime"
for path in (whole, int8):
    names = [node.op_type for node in onnx.load(path).graph.node]
    print(path.name, *sorted(set(names)))

# %% lstm needs="onnxruntime"
lstm, steps = nn.LSTM(64, 128, batch_first=True), torch.randn(1, 5, 64)
plain, small = folder / "lstm.onnx", folder / "lstm-int8.onnx"
options = dict(external_data=False, verbose=False)
for name, dynamo in {"new exporter": True, "old exporter": False}.items():
    torch.onnx.export(lstm, (steps,), plain, dynamo=dynamo, **options)
    quantize_dynamic(plain, small)
    nodes = onnx.load(small).graph.node
    (kind,) = [node.op_type for node in nodes if "LSTM" in node.op_type]
    size = small.stat().st_size / plain.stat().st_size
    print(f"{name}: {kind}, file × {size:.1f}")

# %% small-grows hidden=true needs="onnxruntime"
torch.onnx.export(nn.Linear(4, 4), (torch.ones(1, 4),), plain, **options)
quantize_dynamic(plain, small)
assert small.stat().st_size > plain.stat().st_size

# %% what-does-not-help hidden=true needs="onnxruntime"
outlier = samples.clone()
outlier[0] *= 100  # widens the range of the whole batch
alone, beside = ((run(int8, x) - expected)[1:].norm() for x in (samples, outlier))
assert beside > 10 * alone
gemm = onnx.load(whole).graph.node[0].name
left = []
for name in (gemm, f"{gemm}_MatMul"):
    quantize_dynamic(whole, small, nodes_to_exclude=[name])
    kinds = [node.op_type for node in onnx.load(small).graph.node]
    left.append(kinds.count("MatMulInteger"))
assert left == [3, 2]  # of three


class Norm(nn.Module):
    def forward(self, x):
        return x / x.pow(2).mean(dim=1, keepdim=True).sqrt()


torch.onnx.export(Norm(), (1000 * samples,), plain, **options)
names = [node.name for node in onnx.load(plain).graph.node]
model = convert_float_to_float16(onnx.load(plain), keep_io_types=True, node_block_list=names)
onnx.save(model, small)
assert run(small, 1000 * samples).abs().max() == 0  # x / inf
