"""float32, TF32, bfloat16, float16: how many digits a matrix product keeps."""

# %% formats
import torch

for dtype in (torch.float32, torch.float16, torch.bfloat16):
    info = torch.finfo(dtype)
    print(f"{str(dtype):14}  eps {info.eps:.1e}  max {info.max:.1e}")


# %% tf32-by-hand
def tf32(tensor):  # float32
    bits = tensor.view(torch.int32)
    rounded = (bits + 0x1000) & ~0x1FFF  # drops the last 13 of 23 bits
    return rounded.view(torch.float32)


print(f"{1 / 3:.8f}")
print(f"{tf32(torch.tensor(1 / 3)).item():.8f}")

# %% errors
import math

torch.manual_seed(0)
left, right = torch.randn(2, 256, 256)
exact = left.double() @ right.double()


def relative_error(product):
    return ((product.double() - exact).norm() / exact.norm()).item()


errors = {
    "float32": relative_error(left @ right),
    "TF32": relative_error(tf32(left) @ tf32(right)),
    "float16": relative_error(left.half() @ right.half()),
    "bfloat16": relative_error(left.bfloat16() @ right.bfloat16()),
}
for name, error in errors.items():
    print(f"{name:9} some 1e{math.floor(math.log10(error))}")

# %% eight-times
print(f"about {errors['bfloat16'] / errors['float16']:.0f} times")

# %% range asks=true
for number in (70_000.0, 1e-8):
    value = torch.tensor(number)
    halves = f"float16 {value.half():.3g}  bfloat16 {value.bfloat16():.3g}"
    print(f"{number:7}  {halves}")

# %% switch
print(torch.get_float32_matmul_precision())
torch.set_float32_matmul_precision("high")  # on a GPU: TF32 allowed
print(torch.get_float32_matmul_precision())
torch.set_float32_matmul_precision("highest")

# %% convolutions
print("by default:", torch.backends.cudnn.allow_tf32)
torch.backends.cudnn.allow_tf32 = False
print("afterwards:", torch.backends.cudnn.allow_tf32)
torch.backends.cudnn.allow_tf32 = True

# %% new-names hidden=true
if hasattr(torch.backends.cuda.matmul, "fp32_precision"):
    assert torch.backends.cudnn.conv.fp32_precision == "tf32"
    torch.backends.cuda.matmul.fp32_precision = "tf32"
    try:
        torch.get_float32_matmul_precision()
    except RuntimeError as error:
        assert "mix of the legacy and new APIs" in str(error)
    torch.backends.cuda.matmul.fp32_precision = "none"

# %% gpu needs="cuda" varies=true
left, right = torch.randn(2, 4096, 4096, device="cuda")
exact = left.double() @ right.double()


def measure(name, left, right):
    product = left @ right  # warm-up
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    start.record()
    for _ in range(5):
        left @ right
    end.record()
    end.synchronize()
    milliseconds = start.elapsed_time(end) / 5
    print(f"{name:9} error {relative_error(product):.0e} {milliseconds:8.3f} ms")


measure("float32", left, right)
torch.set_float32_matmul_precision("high")
measure("TF32", left, right)
torch.set_float32_matmul_precision("highest")
measure("float16", left.half(), right.half())
measure("bfloat16", left.bfloat16(), right.bfloat16())
