"""Bodies that a description of the API shows, by the names of its components; a test sends each request."""

from typing import Any

_STARTS = "2026-09-04T19:30:00+01:00"
_NAMES = [
    {"player": "Ada"},
    {"player": "Boris", "cost": "25"},
    {"player": "Ada"},
    {"player": "Cleo", "knockouts": 1},
]
EXAMPLES: dict[str, Any] = {
    "NewSeasonRequest": {"name": "Autumn", "starts_on": "2026-09-01"},
    "NewEventRequest": {"starts_at": _STARTS, "name": "First evening", "entries": _NAMES},
    "NewEventsRequest": {
        "events": [
            {"starts_at": "2026-09-11T19:30:00+01:00", "text": "Boris\nAda x2\nCleo"},
            {"starts_at": "2026-09-18T19:30:00+01:00", "text": "Cleo = Ada\nBoris"},
        ]
    },
    "CorrectedEventRequest": {
        "version": 1,
        "starts_at": _STARTS,
        "text": "Ada x2\nBoris = Cleo",
        "reason": "a tie",
    },
    "PatchedEntryChangeRequest": {"version": 2, "knockouts": 2},
    "NewAwardRequest": {"kind": "first_three"},
    "NewPlansRequest": {
        "events": [{"starts_at": "2027-03-05T19:30:00Z", "name": "Freeroll", "place": "the back room"}]
    },
    "NewPlayerRequest": {"name": "Dora"},
    "NewHookRequest": {
        "target": "program",
        "name": "our site",
        "url": "https://club.example/in",
        "kinds": ["result.published", "result.corrected"],
    },
    "Detail": {"detail": "Somebody else has saved since. Read it again."},
    "Fields": {"starts_at": ["This field is required."]},
}
