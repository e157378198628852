"""The verbs of the command line, one file each: every one is one library call."""
