import html
import re


def markup_of(response):
    """The HTML of a page without the whitespace at and inside its tags, which is the layout of its templates."""
    return re.sub(r"\s*(<[^<>]*>)\s*", _tidied, response.content.decode())


def _tidied(tag):
    return " ".join(tag[1].split()).replace(" >", ">")


def text_of(response):
    """The text of a page below its masthead, as people read it."""
    main = response.content.decode().partition("<main")[2].partition("</main>")[0]
    return " ".join(html.unescape(re.sub(r"<[^<>]*>", " ", main)).split())
