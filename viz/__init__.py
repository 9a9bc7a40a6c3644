"""Pictures: scenes computed as plain data, then drawn."""
