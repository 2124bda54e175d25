"""Solutions of games with private information, over all histories."""
