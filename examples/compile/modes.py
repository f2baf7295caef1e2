"""Modes of the default backend, and backends that tell who is at fault."""

# %% modes
import torch

for mode, options in torch._inductor.list_mode_options().items():
    if mode in ("default", "reduce-overhead", "max-autotune"):
        print(f"{mode:16} {options}")

# %% both raises="RuntimeError"
torch.compile(torch.sin, mode="max-autotune", options={"max_autotune": True})

# %% backends
print("to use:  ", torch.compiler.list_backends())
print("to debug:", [name for name in torch._dynamo.list_backends(exclude_tags=()) if "eager" in name])

# %% unknown raises="torch._dynamo.exc.InvalidBackend"
torch.compile(torch.sin, backend="induktor")


# %% fault
def layer(x):
    return torch.relu(x - 0.5).sum(dim=-1)


x = torch.tensor([[1.0, 0.0], [2.0, 3.0]])
expected = layer(x)
for backend in ("eager", "aot_eager", "relu_accuracy_error_TESTING_ONLY"):  # the last one is wrong on purpose
    torch.compiler.reset()
    out = torch.compile(layer, backend=backend)(x)
    print(f"{backend:33} {out}", "right" if torch.equal(out, expected) else "wrong")

# %% compile-error raises="torch._dynamo.exc.BackendCompilerFailed"
torch.compiler.reset()
torch.compile(layer, backend="relu_compile_error_TESTING_ONLY")(x)


# %% own
def swaps(graph_module, example_inputs):
    for node in graph_module.graph.nodes:
        if node.target is torch.relu:
            node.target = torch.nn.functional.softplus
    graph_module.recompile()
    return graph_module.forward


torch.compiler.reset()
print(torch.compile(layer, backend=swaps)(x))
print(torch.nn.functional.softplus(x - 0.5).sum(dim=-1))
