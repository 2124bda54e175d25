"""Language models as players: settings, prompt, client, answers, prices."""
