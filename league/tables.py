"""Tables of django-tables2 with rows that Jinja draws at once: the frame is templates/league/_table.html."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from inspect import signature
from typing import Any, ClassVar

import django_tables2
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django_tables2 import A as Accessor
from django_tables2.columns import BoundColumn

NUMBER = {"th": {"class": "n"}, "td": {"class": "n"}}
WIDE_NUMBER = {"th": {"class": "n wide"}, "td": {"class": "n wide"}}
PER_PAGE = 50
MOST_ORDERS = 5


def draw_rows(template: str, context: Mapping[str, Any]) -> SafeString:
    """Draw rows by a template of templates/jinja."""
    return SafeString(render_to_string(template, dict(context), using="jinja2"))


@dataclass(frozen=True)
class Head:
    """The head of a column. `sort` is the parameter that sorts by it, "" if it cannot be sorted."""

    label: str
    classes: str
    sort: str
    direction: str
    is_hidden: bool = False  # read by screen readers alone


def head_of(column: BoundColumn) -> Head:
    """Describe the head of a column."""
    return Head(
        label=column.header,
        classes=column.attrs["th"].get("class") or "",
        sort=str(column.order_by_alias.next) if column.orderable else "",
        direction=_direction(column),
    )


def _direction(column: BoundColumn) -> str:
    if not column.is_ordered:
        return ""
    return "descending" if column.order_by_alias.is_descending else "ascending"


class Table(django_tables2.Table):
    """A table whose cells are text or safe HTML.

    `row_header` names the column that heads each row; `by` is the parameter of that name that sorting keeps.
    """

    row_header: ClassVar[str] = ""
    caption: ClassVar[str | Promise] = ""
    by: str | None = None

    def heads(self) -> Iterator[Head]:
        """List the heads of the columns."""
        return map(head_of, self.columns)

    def drawn_rows(self) -> SafeString:
        """Draw the rows of the page."""
        columns = [
            (self._cell_writer(column), column.name == self.row_header, column.attrs["td"].get("class") or "")
            for column in self.columns
        ]
        rows = [
            [(is_header, classes, write(row.record)) for write, is_header, classes in columns]
            for row in self.paginated_rows
        ]
        context = {"rows": rows, "n_columns": len(columns), "empty_text": self.empty_text}
        return draw_rows("table_rows.jinja", context)

    def _cell_writer(self, column: BoundColumn) -> Callable[[Any], Any]:
        """Make the function that writes the cell of a record: by `render_<name>`, or as the value is.

        django-tables2 looks up for each cell what that method takes, which is most of the time of a table.
        """
        accessor, render = Accessor(column.accessor), getattr(self, f"render_{column.name}", None)
        wanted = signature(render).parameters if render else ()

        def write(record: Any) -> Any:
            value = accessor.resolve(record, quiet=True)
            if value in column.column.empty_values:
                return column.default
            given = {"record": record, "value": value}
            return render(**{name: given[name] for name in wanted}) if render else value

        return write


def link(address: str, text: object) -> SafeString:
    """Write a link."""
    return format_html('<a href="{}">{}</a>', address, text)


def configure(table: Table, request: HttpRequest) -> None:
    """Sort and page by the address. RequestConfig is not used: it lets the address choose the page's length."""
    table.order_by = request.GET.getlist("sort")[:MOST_ORDERS] or table.order_by
    table.paginate(per_page=PER_PAGE)
    table.page = table.paginator.get_page(request.GET.get("page"))
