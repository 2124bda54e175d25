"""A tournament: its file, schedule, folder and checks."""
