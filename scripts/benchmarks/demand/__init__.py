"""What people use of PyTorch, counted in their code."""
