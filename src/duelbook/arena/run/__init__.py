"""Running a tournament: games in processes, threads or on a cluster."""
