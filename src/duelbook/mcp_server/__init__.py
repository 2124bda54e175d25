"""A server of games for agents over the Model Context Protocol (MCP): `duelbook mcp`."""
