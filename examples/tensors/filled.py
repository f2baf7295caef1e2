"""zeros, ones, full, eye, empty, and their *_like twins."""

# %% by-shape
import torch

print("zeros:", torch.zeros(2, 3), sep="\n")
print("ones:", torch.ones(2, 3, dtype=torch.int64), sep="\n")
print("full:", torch.full((2, 3), 7.5), sep="\n")
print("eye:", torch.eye(3), sep="\n")

# %% defaults
print("zeros:          ", torch.zeros(2).dtype)
for value in (7, 7.0, True):
    print(f"full with {value!s:6}", torch.full((2,), value).dtype)

# %% like
image = torch.rand(2, 3, dtype=torch.float64).requires_grad_()
noise = torch.zeros_like(image)
print("zeros_like:", noise, sep="\n")
print("requires_grad:", noise.requires_grad)
print("new_ones:", image.new_ones(4))  # another shape, the same dtype and device

# %% full-like
counts = torch.tensor([1, 2])
print("dtype of counts:", torch.full_like(counts, 7.9))
print("dtype given:    ", torch.full_like(counts, 7.9, dtype=torch.float32))

# %% empty
squares = torch.empty(5, dtype=torch.int64)
for i in range(5):
    squares[i] = i**2  # every element is written before it is read
print(squares)

# %% empty-is-not-zeros
torch.use_deterministic_algorithms(True)  # fills new memory: reading it shows
new, largest = torch.empty(3, dtype=torch.int64), torch.iinfo(torch.int64).max
print("floats, all NaN:             ", torch.empty(3).isnan().all().item())
print("integers, all at the maximum:", (new == largest).all().item())
torch.use_deterministic_algorithms(False)

# %% full-needs-a-shape raises="TypeError"
torch.full(3, 7.0)

# %% full-with-a-shape
print("full: ", torch.full((3,), 7.0))
print("zeros:", torch.zeros(3), torch.zeros((3,)))

# %% ones-of-a-list
print(torch.ones([2, 3]).shape, torch.tensor([2, 3]).shape)

# %% like-another
weight = torch.ones(2, 3, dtype=torch.float64)
print(weight.new_zeros(2))  # dtype and device of weight
print(weight.new_tensor([1, 2]))  # a list, in weight's dtype
print(torch.tensor([1, 2]).type_as(weight).dtype)
flat = torch.empty(1, 3, 4, 4).to(memory_format=torch.channels_last)
copy = torch.zeros_like(flat, memory_format=torch.preserve_format)  # the default
print("same strides:", copy.stride() == flat.stride())

# %% like-family
turned = torch.zeros(3, 2).T  # (2, 3)
for make in (torch.ones_like, torch.empty_like, torch.rand_like, torch.randn_like):
    made = make(turned)
    print(f"{make.__name__:10} {tuple(made.shape)} strides {made.stride()}")
wide = torch.zeros(3, 1).expand(3, 4)
print("expanded:", wide.stride(), "->", torch.empty_like(wide).stride())
print("of a Parameter:", type(torch.ones_like(torch.nn.Parameter(wide))).__name__)

# %% rand-like-integers raises="NotImplementedError"
torch.rand_like(counts)

# %% rand-like-floats
print(torch.rand_like(counts, dtype=torch.float32).dtype)
print(torch.randint_like(counts, 10).dtype)

# %% full-like-infinity raises="RuntimeError"
torch.full_like(counts, float("-inf"))

# %% full-like-smallest
print(torch.full_like(counts, torch.iinfo(counts.dtype).min))
print(torch.full_like(counts, float("-inf"), dtype=torch.float32))

# %% old-new
print("new(2, 3):         ", tuple(weight.new(2, 3).shape))  # sizes
print("new([2, 3]):       ", weight.new([2, 3]))  # data
print("new_empty(2, 3):   ", tuple(weight.new_empty(2, 3).shape))
print("new_tensor([2, 3]):", weight.new_tensor([2, 3]))

# %% cpu hidden=true
assert torch.zeros(2).device.type == "cpu"

# %% counter-cases hidden=true
for dtype in (torch.float16, torch.bfloat16, torch.int8, torch.bool, torch.complex64):
    for device in ("cpu", "meta"):
        for shape in ((), (0,), (2, 0, 3), (4, 5)):
            x = torch.empty(shape, dtype=dtype, device=device)
            for made in (torch.zeros_like(x), torch.ones_like(x), torch.full_like(x, 1), torch.empty_like(x)):
                assert (made.shape, made.dtype, made.device) == (x.shape, x.dtype, x.device)
transposed = torch.zeros(3, 4).T
assert torch.zeros_like(transposed).stride() == transposed.stride()  # the order in memory, too

# %% largest-wraps hidden=true
far = torch.full((2,), torch.iinfo(torch.int64).max)
assert (far + 1 < 0).all() and (torch.full((2,), torch.inf) + 1 > 0).all()

# %% nan-and-too-large hidden=true
for value in (float("nan"), 1e20):
    try:
        torch.full_like(counts, value)
    except RuntimeError as error:
        assert "int64_t without overflow" in str(error), error
    else:
        raise AssertionError
    assert torch.full_like(counts, value, dtype=torch.float32).dtype == torch.float32
small, long_id = counts.int(), 2**40 + 1
assert (torch.full_like(small, long_id, dtype=torch.int64) == long_id).all()
assert (torch.full_like(small, long_id, dtype=torch.float32).long() != long_id).all()
