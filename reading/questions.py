"""Questions that a page asks about what was typed, pasted or uploaded; answers are fields of the form, `ID=VALUE`."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

ACCEPTED = "accepted:"
MENDED = re.compile(r"((?:\d+#)?(?:\d+!)?cell:\d+:\d+)=")


@dataclass(frozen=True)
class Choice:
    """One answer to a question: the value that is sent, and what its button says."""

    value: str
    label: str
    hint: str = ""


@dataclass(frozen=True)
class Question:
    """A question with its choices, the likely one first; `answer` is the value that was chosen.

    `is_settled` marks an answer that may be empty, such as the text of a cell.
    """

    id: str
    text: str
    reason: str
    choices: tuple[Choice, ...]
    answer: str = ""
    is_settled: bool = False

    @property
    def is_answered(self) -> bool:
        return bool(self.answer) or self.is_settled

    @property
    def chosen(self) -> Choice | None:
        return next((choice for choice in self.choices if choice.value == self.answer), None)


def by_question(answers: Iterable[str]) -> dict[str, str]:
    """Map questions to their answers; the last one counts."""
    return dict(map(_split, answers))


def _split(answer: str) -> tuple[str, str]:
    """Split an answer at its last =, because a name in its id may have one; a cell that is typed may have one, too."""
    if cell := MENDED.match(answer):
        return cell[1], answer[cell.end() :]
    question, _sign, value = answer.rpartition("=")
    return question, value


def accepted(questions: Iterable[Question]) -> list[str]:
    """Answer all open questions as suggested; each answer is marked, so that all are taken back at once."""
    suggested = [f"{each.id}={each.choices[0].value}" for each in questions if not each.is_answered]
    return [*suggested, *(f"{ACCEPTED}{answer}" for answer in suggested)]


def without_accepted(answers: Iterable[str]) -> list[str]:
    """Take back the suggestions that were accepted together."""
    given = list(answers)
    marked = {answer.removeprefix(ACCEPTED) for answer in given if answer.startswith(ACCEPTED)}
    return [answer for answer in given if answer not in marked and not answer.startswith(ACCEPTED)]


def n_accepted(answers: Iterable[str]) -> int:
    return sum(answer.startswith(ACCEPTED) for answer in answers)


def kept_answers(given: Iterable[str], undone: Iterable[str]) -> list[str]:
    """List the answers of a form without those that were taken back."""
    gone = set(undone)
    return [answer for answer in dict.fromkeys(given) if answer not in gone]
