"""Two drivers, each with the small implementation that it drives."""
