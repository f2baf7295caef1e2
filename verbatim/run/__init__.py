"""Script → result: cells run in a fresh process, outputs, names, figures. Needs PyTorch, NumPy and Matplotlib only."""
