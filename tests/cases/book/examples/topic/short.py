"""A script that a page shows whole."""

# %% first
print(1)

# %% proof hidden=true
assert 2 > 1

# %% last
print(3)
