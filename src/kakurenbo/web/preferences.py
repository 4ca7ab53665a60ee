"""What the base serves itself: static files, the choice of language and theme, the description of the API."""

from fastapi import APIRouter, Request, Response
from starlette.responses import JSONResponse, PlainTextResponse

from kakurenbo.web.languages import LANGUAGES
from kakurenbo.web.redirects import back
from kakurenbo.web.refusals import Refusal
from kakurenbo.web.roles import needs
from kakurenbo.web.visit import visit_of

_YEAR = 365 * 24 * 3600
_THEMES = ("auto", "light", "dark")


def own_routes(api: str) -> APIRouter:
    """Return the routes that every site has."""
    router = APIRouter(include_in_schema=False, dependencies=[needs("anyone", asks=False)])
    router.get("/static/{digest}/{name}")(static)
    router.get("/lang/{code}")(language)
    router.get("/theme/{name}")(theme)
    router.get("/robots.txt")(robots)
    router.get("/favicon.ico")(icon)
    router.get(f"{api}/openapi.json")(description)
    return router


async def static(request: Request, digest: str, name: str) -> Response:
    """Serve a style sheet, script or picture."""
    asset = visit_of(request).site.assets.named.get(name)
    if asset is None:
        raise Refusal(404)
    return asset.answer(request, digest)


async def language(request: Request, code: str) -> Response:
    """Keep a language, and lead back."""
    if code not in LANGUAGES:
        raise Refusal(404)
    visit_of(request).set_cookie("lang", code, _YEAR)
    return back(request)


async def theme(request: Request, name: str) -> Response:
    """Keep light or dark, or leave it to the system, and lead back."""
    if name not in _THEMES:
        raise Refusal(404)
    visit = visit_of(request)
    visit.drop_cookie("theme")
    if name != "auto":
        visit.set_cookie("theme", name, _YEAR)
    return back(request)


async def robots() -> Response:
    """Ask search engines to stay outside."""
    return PlainTextResponse("User-agent: *\nDisallow: /\n")


async def icon(request: Request) -> Response:
    """Serve the picture that browsers ask for by themselves."""
    return visit_of(request).site.assets.named["icon.svg"].answer(request, "")


async def description(request: Request) -> Response:
    """Describe the API."""
    return JSONResponse(request.app.openapi())
