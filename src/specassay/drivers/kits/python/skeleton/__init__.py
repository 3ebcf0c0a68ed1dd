"""Where a driver of your own starts."""
