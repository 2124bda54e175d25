"""Games on the server: events, commands, who is present, what each seat may see, storage."""
