"""Challenges made of a spec. One that is written in Python is any object that satisfies `Challenge`.

Source: seed 002, Two Authoring Paths; ChallengeModule Interface.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.challenge.code_module import CodeModule
from engine.challenge.declarative_module import DeclarativeModule
from engine.challenge.interface import ChallengeData
from engine.challenge.module_failure import ModuleFailure
from engine.challenge.runner import Runner
from engine.challenge.spec_shape import ChallengeSpec
from engine.challenge.workspace import default_workspace, with_challenge_md, within_workspace
from engine.rules import DOCUMENTED, Rules

__all__ = ["CodeModule", "DeclarativeModule", "ModuleFailure", "module_of", "workspace_files"]


def module_of(spec: ChallengeSpec, sandbox: Runner, rules: Rules = DOCUMENTED) -> CodeModule | DeclarativeModule:
    """The challenge that a spec describes."""
    kind = CodeModule if spec.code_files is not None else DeclarativeModule
    return kind(spec, sandbox, rules)


def workspace_files(
    module: CodeModule | DeclarativeModule, spec: ChallengeSpec, seed: int, data: ChallengeData
) -> Mapping[str, str]:
    """The text of each file of a seed's workspace by its path, CHALLENGE.md first; `data` is what the seed gave.

    Raises ModuleFailure where the challenge's own code gives no files.
    """
    own = spec.code_files is not None and "workspace.js" in spec.code_files.sources
    if own or module.rules.template_files_json:
        files = module.generate_workspace(seed, module.config)
    else:
        files = within_workspace(default_workspace(data), "data.js" if spec.code_files else "dataTemplate")
    return with_challenge_md(files, spec.workspace.challenge_md, seed)
