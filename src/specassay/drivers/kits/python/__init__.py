"""The Python kit: one module to copy, a skeleton to start from, and two examples."""
