"""Templates have short lines, one statement a line and named blocks; each is used; one place draws badges."""

import re
from pathlib import Path

import django
import polib
from django.conf import settings
from django.template.utils import get_app_template_dirs

from tests.addresses import APPS

ROOT = Path(settings.BASE_DIR)
FOLDER = ROOT / "templates"
TEMPLATES = {
    path.relative_to(FOLDER).as_posix(): path.read_text(encoding="utf-8")
    for path in sorted(FOLDER.rglob("*"))
    if path.suffix in {".html", ".jinja"}
}
CODE = {path: path.read_text(encoding="utf-8") for app in APPS for path in sorted((ROOT / app).rglob("*.py"))}
MOST_LETTERS = 120
COMMAND = re.compile(r"manage\.py|sha256sum|\b(?:python3?|pip|sudo|docker|celery) [a-z-]|<code>\s*\$ ")
MESSAGES = ROOT / "league" / "locale" / "ja" / "LC_MESSAGES" / "django.po"
BLOCKS = (
    "autoescape|block|blocktranslate|comment|filter|for|if|ifchanged|localize|localtime|macro|setvar|slot|spaceless|"
    "timezone|verbatim|with"
)
OPENING = re.compile(rf"{{%-?\s*(?:{BLOCKS})\b")
NAMED_BY_DJANGO = {f"{code}.html" for code in (400, 403, 404, 500)} | {"403_csrf.html"}
NAMED_BY_ALLAUTH = {"429.html"}


def lines_where(is_wrong):
    """Find the lines of all templates that are wrong, each with the name of its template."""
    return [(name, line) for name, text in TEMPLATES.items() for line in text.splitlines() if is_wrong(line)]


def test_lines_are_short():
    assert lines_where(lambda line: len(line) > MOST_LETTERS) == []


def test_a_line_opens_one_block_at_most():
    assert lines_where(lambda line: len(OPENING.findall(line)) > 1) == []


def test_the_end_of_a_block_is_named_unless_its_beginning_is_on_the_line():
    assert lines_where(lambda line: "{% endblock %}" in line and "{% block " not in line) == []


def test_what_a_template_extends_comes_first():
    extending = {name: text for name, text in TEMPLATES.items() if "{% extends " in text}
    assert extending
    assert [name for name, text in extending.items() if not text.startswith("{% extends ")] == []


def test_no_page_shows_a_command_of_a_shell():
    assert {name: found for name, text in TEMPLATES.items() if (found := COMMAND.findall(text))} == {}


def test_no_message_shows_a_command_of_a_shell():
    assert [entry.msgid for entry in polib.pofile(MESSAGES) if COMMAND.search(entry.msgid)] == []


def test_each_template_is_used():
    used = NAMED_BY_DJANGO | NAMED_BY_ALLAUTH | named_by_templates() | named_by_code() | overrides()
    assert {name.removeprefix("jinja/") for name in TEMPLATES} - used == set()


def named_by_templates():
    return {
        name
        for text in TEMPLATES.values()
        for name in re.findall(r"{%-?\s*(?:include|extends|compiled)\s+\"([^\"]+)\"", text)
    }


def named_by_code():
    return {name for text in CODE.values() for name in re.findall(r"\"([\w/.-]+\.(?:html|jinja))\"", text)}


def overrides():
    """Find templates that override those of installed packages."""
    folders = [*get_app_template_dirs("templates"), Path(django.__file__).parent / "forms" / "templates"]
    return {name for name in TEMPLATES if any((folder / name).exists() for folder in folders)}


def test_badges_are_drawn_in_one_place():
    texts = [*TEMPLATES.items(), *CODE.items()]
    assert [str(where) for where, text in texts for _ in re.findall(r"class=[\"']badge[ \"']", text)] == [
        str(ROOT / "league" / "templatetags" / "formatting.py")
    ]
