"""The suite: one test module that binds every feature to the steps, and what makes it run under pytest."""
