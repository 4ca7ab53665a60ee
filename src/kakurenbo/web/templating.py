"""Pages from templates: text is escaped, and sentences are said in the reader's language."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

import jinja2
from markupsafe import Markup
from starlette.responses import HTMLResponse

from kakurenbo.web import filters
from kakurenbo.web.csrf import csrf_token
from kakurenbo.web.flash import waiting
from kakurenbo.web.languages import LANGUAGES
from kakurenbo.web.visit import Visit, visit_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from starlette.requests import HTTPConnection


def environment(packages: Sequence[str], values: Mapping[str, Any]) -> jinja2.Environment:
    """Return the templates of packages, an earlier one's before a later one's of the same name."""
    pages = jinja2.Environment(
        loader=jinja2.ChoiceLoader([jinja2.PackageLoader(package) for package in packages]),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    pages.globals.update(values, languages=LANGUAGES, anchor=anchor)
    pages.filters.update(filters.ALL)
    return pages


def render(request: HTTPConnection, template: str, /, status: int = 200, **values: Any) -> HTMLResponse:  # noqa: ANN401
    """Return a page, or a part of one."""
    return page(visit_of(request), template, status=status, **values)


def page(visit: Visit, template: str, /, *, status: int = 200, **values: Any) -> HTMLResponse:  # noqa: ANN401
    """Return a page of a visit."""
    text = visit.site.pages.get_template(template).render({**_shared(visit), "status": status, **values})
    return HTMLResponse(text, status)


def anchor(path: str, text: str) -> Markup:
    """Return a link that can stand in a sentence."""
    return Markup('<a href="{}">{}</a>').format(path, text)


def _shared(visit: Visit) -> dict[str, Any]:
    """Return what every template may use."""
    site, lang = visit.site, visit.lang

    def t(sentence: str, /, **fields: object) -> str:
        return site.words.t(lang, sentence, **fields)

    def say(text: str, /) -> str:
        return site.words.said(lang, text)

    def csrf() -> Markup:
        return Markup('<input type="hidden" name="csrf" value="{}">').format(csrf_token(visit.connection))

    return {
        "t": t,
        "say": say,
        "csrf": csrf,
        "lang": lang,
        "theme": visit.theme,
        "site": site,
        "title_of_site": site.called(lang),
        "person": visit.person,
        "has": lambda role: _has(visit, role),
        "navigation": [link for link in site.navigation if _has(visit, link.role) and _now(link.when)],
        "flashes": lambda: [(one.kind, t(one.message, **one.fields)) for one in waiting(visit)],
        "asset": site.assets.address,
        "path": visit.path,
        "address": _address(visit),
        "here": lambda path: _here(visit.path, path),
        "with_query": lambda **changes: _with_query(visit, changes),
        "now": site.clock(),
    }


def _has(visit: Visit, role: Any) -> bool:  # noqa: ANN401 - whatever a template asks for
    return role == "anyone" or (visit.person is not None and visit.person.has(role))


def _now(when: Any) -> bool:  # noqa: ANN401 - a function, or nothing
    return when is None or bool(when())


def _here(path: str, link: str) -> str | None:
    """Return what aria-current says of a link: this page, a page below it, or nothing."""
    if path == link:
        return "page"
    return "true" if link != "/" and path.startswith(f"{link}/") else None


def _address(visit: Visit) -> str:
    """Return path and query of this page, for links that come back to it, or `/` where something was sent."""
    return _with_query(visit, {"lang": None}) if visit.connection.scope["method"] == "GET" else "/"


def _with_query(visit: Visit, changes: Mapping[str, object]) -> str:
    """Return the address of this page with some of its query changed; None takes a part away."""
    parts = {**visit.connection.query_params, **changes}
    query = urlencode({name: value for name, value in parts.items() if value is not None})
    return f"{quote(visit.path)}{'?' if query else ''}{query}"
