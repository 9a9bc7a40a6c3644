"""Other people's tools: PyTorch, ONNX, VNN-LIB and scikit-learn. Each module imports its tool on first use."""
