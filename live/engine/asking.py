"""Questions of a night: what the log does not say by itself, and the choice of the organizer that settled it."""

from collections.abc import Mapping, Sequence

from live.engine.state import Night, Question

Choices = Mapping[str, str]  # what was chosen, by question
FIRST, SECOND, IGNORE, YES, SET_BACK = "first", "second", "ignore", "yes", "set_back"
SEEN_BY_TWO = 120_000  # ms within which two phones record one fact


def ask(
    night: Night,
    kind: str,
    actions: Sequence[str],
    entries: Sequence[str],
    choices: Sequence[str],
    settled: Choices,
) -> str | None:
    """Add a question; return the choice that settled it."""
    name = ":".join([kind, *actions, *entries])
    chosen = settled.get(name)
    answer = chosen if chosen in choices else None
    night.questions.append(Question(name, kind, tuple(actions), tuple(entries), tuple(choices), answer))
    return answer
