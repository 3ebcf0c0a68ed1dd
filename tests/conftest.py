"""What all tests share."""

pytest_plugins = ["pytester"]
collect_ignore = ["example"]  # a project of its own: see test_readme.py
