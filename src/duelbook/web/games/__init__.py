"""Games on the server: commands, rooms, commits, presence, broadcasts and views."""
