"""Authoring a challenge from the command line: drafts made, read, checked, played, packed, and sent to a server.

A draft is a folder (`spec.json`, `CHALLENGE.md`, `data.js`, `scorer.js`, … `reference.json`) or one JSON file,
`{spec, referenceAnswer}`. A file is one of these matters; the commands import it when they are asked for.
"""
