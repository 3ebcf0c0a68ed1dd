"""What a run found out: the one model that every report is made from."""
