"""Runs scripts, each in a process of its own, and returns what they printed and drew.

This folder needs PyTorch, NumPy and Matplotlib only, so that a bare machine with a GPU can record.

In the build's process:

- `script`, `job`, `result`: what goes in and what comes out.
- `runner`: runs scripts in parallel; `cluster`: the same on a Dask cluster; `cache`: keeps their results.
- `server`: starts the fork server; `watch`: follows a running script; `processes`: measures it and ends it;
  `leavings`: reads and removes what it left.
- `gpus`: finds GPUs.

In the fork server: `forks`, `preload`, `plots`.

In a script's process:

- `worker`: runs the cells; `isolate`: prepares the process; `perturb`: changes its conditions; `driverless`: those of a
  build with CUDA.
- `confine`, `seccomp`: limit what it can change.
- `figures`: its figures as SVG.

In both:

- `channel`: the messages from a script's process; `clean`: makes outputs independent of the machine.
- `names`: the PyTorch names that a script uses; `reads`: the files that it reads.
- `variables`: the environment variables of a run.
"""
