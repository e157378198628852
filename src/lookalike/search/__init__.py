"""The machinery that lattice methods share: roll-ups, objectives, walks, preferences."""
