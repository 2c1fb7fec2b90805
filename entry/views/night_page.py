"""The page of a sheet: what it was opened for, its forms, and what is read of it."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from django.urls import reverse

from entry.forms.results import EventDetailsForm
from entry.night_sheets.forms import RulesForm, preset_values, rules_initial
from entry.night_sheets.reading import ReadSheet, ReadTable, read_sheet
from entry.night_sheets.sentences import ordinals, winds, words
from entry.night_sheets.sheet import Sheet, act, digest, paste, sheet_of
from entry.night_sheets.stored import CONFLICT, STORED, merge, take_over
from entry.night_sheets.texts import rules_text, sheet_text, table_text
from entry.score_messages import message_of
from entry.services.nights import Night, NightTable, correct_night, correct_table, enter_night
from league.access import ClubRequest
from league.guests import guests_text
from league.models import EntryForm, Event, Game, Meet
from league.models.change import MAX_REASON
from league.queries import count_evenings, players_by_key, regulars
from league.vocabulary import gettext as _
from league.vocabulary import gettext_lazy
from reading.names.understanding import Understood, read_answers, understand
from reading.questions import kept_answers
from scores.errors import ScoreError
from scores.rules import ScoreRules


@dataclass
class OpenedSheet:
    """What a sheet is opened for: a new night, the games of a stored one, or one game that belongs to none."""

    request: ClubRequest
    game: Game | None
    rules: ScoreRules
    sheet: Sheet
    initial: dict[str, Any]
    meet: Meet | None = None
    event: Event | None = None
    events: list[Event] = field(default_factory=list)  # the stored games, read `with_seats`
    games: list[Game] = field(default_factory=list)

    @property
    def effects_url(self) -> str:
        """The address that shows what a correction would change; none for a new night."""
        club, season = self.request.club.slug, self.request.season.slug
        if self.meet:
            return reverse("standings:night-correction", args=[club, season, self.meet.pk])
        return reverse("standings:correction", args=[club, self.event.pk]) if self.event else ""

    @property
    def is_scored(self) -> bool:
        return self.game is not None and self.game.entry_form == EntryForm.SCORES


class SheetPage:
    """A sheet and its forms, as they were opened or posted."""

    def __init__(self, opened: OpenedSheet, data: Mapping[str, str] | None) -> None:
        self.opened = opened
        self.request = opened.request
        self.form = _occasion_form(opened, data)
        self.rules_form = self._rules_form(opened.rules, data)
        self.sheet = opened.sheet
        self.paste_problem = ""
        self.terms = _terms(opened.initial, opened.rules)
        if data is not None:
            self.terms = {part: data.get(f"opened-{part}", "") for part in self.terms}
            self.sheet = sheet_of(data, opened.sheet, grows=not opened.is_scored)
            self._act(data)

    def _act(self, data: Mapping[str, str]) -> None:
        if data.get("do") == "paste":
            try:
                paste(self.sheet, data.get("paste", ""), self.rules.total if self.opened.is_scored else None)
            except ScoreError as error:
                self.paste_problem = message_of(error)
        else:
            act(self.sheet, data.get("do", ""))
        if self.opened.meet and not self.read.used:
            self.form.add_error(
                None,
                _(
                    "A night has at least one table. To take back the whole night, press “Delete this night” below."
                ),
            )

    def _rules_form(self, rules: ScoreRules, data: Mapping[str, str] | None = None) -> RulesForm:
        return RulesForm(
            data,
            n_players=self.opened.rules.n_players,
            is_scored=self.opened.is_scored,
            initial=rules_initial(rules),
        )

    @property
    def rules(self) -> ScoreRules:
        """The rules as typed; those that it was opened with if they cannot be read."""
        is_read = self.rules_form.is_bound and self.rules_form.is_valid()
        return self.rules_form.rules if is_read else self.opened.rules

    @cached_property
    def read(self) -> ReadSheet:
        return read_sheet(self.sheet, self.rules, is_scored=self.opened.is_scored)

    @cached_property
    def answers(self) -> list[str]:
        return kept_answers(self.request.POST.getlist("answer"), self.request.POST.getlist("undo"))

    @cached_property
    def understood(self) -> Understood:
        """Match the typed names with the players of the club."""
        return understand(
            self.read.names,
            players_by_key(self.request.club),
            read_answers(self.answers),
            count_evenings=count_evenings,
        )

    @property
    def can_save(self) -> bool:
        are_valid = self.form.is_valid() and self.rules_form.is_valid()
        return are_valid and self.read.is_ready and not self.understood.n_open

    @property
    def night(self) -> Night:
        name = self.form.cleaned_data["name"] or str(self.opened.game or self.request.season)
        if self.opened.event and name == str(self.opened.event):
            name = self.opened.event.name
        return Night(self.request.season, self.opened.game, self.rules, self.form.starts_at, name)

    def save(self) -> Meet | Event | None:
        tables = [_night_table(table, self.understood) for table in self.read.used]
        opened = self.opened
        by: dict[str, Any] = {"actor": self.request.user, "aliases": self.understood.aliases}
        if opened.meet or opened.event:
            by["reason"] = self.request.POST.get("reason", "").strip()[:MAX_REASON]
        if opened.meet:
            return correct_night(opened.meet, self.night, tables, gone=self.sheet.gone, **by)
        if opened.event:
            return correct_table(opened.event, self.night, tables[0], **by)
        token = self.form.cleaned_data["form_token"] or uuid.uuid4()
        is_another = bool(self.request.POST.get("another"))
        return enter_night(self.night, tables, form_token=token, is_another=is_another, **by)

    def take_over(self, now: OpenedSheet) -> None:
        """Merge what was stored since the sheet was opened, and report the conflicts as a form error."""
        typed, stored = _terms(self.form.cleaned_data, self.rules), _terms(now.initial, now.rules)
        outcomes = {part: merge(typed[part], self.terms[part], stored[part]) for part in typed}
        both = [str(_TERM_NAMES[part]) for part, outcome in outcomes.items() if outcome == CONFLICT]
        both += [_("table %(where)s") % {"where": where} for where in take_over(self.sheet, now.events)]
        if outcomes["night"] == STORED:
            texts = {name: str(value) for name, value in now.initial.items()}
            self.form = _occasion_form(now, texts | {"form_token": str(self.form.cleaned_data["form_token"])})
        if outcomes["rules"] == STORED:
            self.rules_form = self._rules_form(now.rules)
        self.opened, self.terms = now, stored
        del self.read, self.understood
        self.form.add_error(None, _changed_meanwhile(both))

    def context(self) -> dict[str, Any]:
        sentences, scored = words(), self.opened.is_scored
        if self.opened.effects_url:
            sentences["publish_one"] = sentences["publish_many"] = _("See what changes")
        return {
            "opened": self.opened,
            "form": self.form,
            "rules_form": self.rules_form if self.rules_form.errors else self._rules_form(self.rules),
            "rules": self.rules,
            "rules_text": rules_text(self.rules, sentences),
            "sheet": self.sheet,
            "terms": self.terms,
            "how": sentences[f"type_{self.sheet.unit}"],
            "rounds": [
                [table_text(table, self.sheet.unit, sentences, is_scored=scored) for table in tables]
                for tables in self.read.rounds
            ],
            "bar": sheet_text(self.read, sentences, self.understood.n_open),
            "names": regulars(self.request.club),
            "asks": self.understood.questions,
            "answers": self.answers,
            "guests": guests_text(self.understood.guests),
            "paste_problem": self.paste_problem,
            "pasted": self.request.POST.get("paste", "") if self.paste_problem else "",
            "script": self._script(sentences),
        }

    def _script(self, sentences: dict[str, str]) -> dict[str, Any]:
        return {
            "words": sentences,
            "ordinals": ordinals(),
            "winds": winds(4),
            "presets": preset_values(),
            "rules": self.rules.to_dict(),
            "scored": self.opened.is_scored,
        }


def _terms(occasion: Mapping[str, Any], rules: ScoreRules) -> dict[str, str]:
    """Compute digests of a night's details and rules, to detect later changes."""
    night = [occasion.get("name", ""), occasion["day"].isoformat(), f"{occasion['start']:%H:%M}"]
    return {"night": digest(night), "rules": digest(rules.to_dict())}


_TERM_NAMES = {"night": gettext_lazy("name, day or start"), "rules": gettext_lazy("rules")}


def _changed_meanwhile(both: list[str]) -> str:
    if not both:
        return _(
            "Somebody else has changed this night since you opened it. Their changes are taken over and yours are"
            " kept: look at the sheet and save again."
        )
    return _(
        "Somebody else has changed this night since you opened it, and what you have changed too: %(both)s. There"
        " what you typed is kept; compare it with the page of the night before you save again."
    ) % {"both": ", ".join(both)}


def _occasion_form(opened: OpenedSheet, data: Mapping[str, str] | None) -> EventDetailsForm:
    """Build the form of name and day; replace an invalid form token, so that the form can be sent again."""
    form = EventDetailsForm(data, season=opened.request.season, initial=opened.initial)
    if data is None or "form_token" not in form.errors:
        return form
    whole = {**data, "form_token": str(opened.initial["form_token"])}
    form = EventDetailsForm(whole, season=opened.request.season, initial=opened.initial)
    form.add_error(
        None, _("This form was not sent whole. What you typed is kept: look at it and send it again.")
    )
    return form


def _night_table(table: ReadTable, understood: Understood) -> NightTable:
    event, version = table.fields.event, table.fields.version
    return NightTable(
        table.round,
        table.number,
        tuple(replace(seat, name=understood.name_of(seat.name)) for seat in table.seats),
        table.sticks_left,
        int(event) if event.isdecimal() else None,
        int(version) if version.isdecimal() else 0,
    )
