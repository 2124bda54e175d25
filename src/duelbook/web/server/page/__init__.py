"""The files of the page: bundle, versions, head, rules."""
