"""Runs the hidden tests and reports on them; loaded inside the sandbox, standard library and pytest only."""
