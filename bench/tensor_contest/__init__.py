"""What tensor_ratio.py is made of."""
