"""The commands, one a file: `add_arguments` says what a command takes, `run` does it and gives the exit code.

The file of a command that was not asked for is never imported; one that was imports what is heavy where it is used.
`SETTINGS` names the options of the settings that are flags of the command too.
"""
