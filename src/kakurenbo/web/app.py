"""Make an application of a site and its routes, and serve it."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Final

import uvicorn
from fastapi import APIRouter, FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from kakurenbo.errors import KakurenboError, ParameterError
from kakurenbo.web.aside import tidy
from kakurenbo.web.preferences import own_routes
from kakurenbo.web.refusals import Refusal, answer, note
from kakurenbo.web.roles import identify, roles_of
from kakurenbo.web.security import Guard
from kakurenbo.web.visit import visit_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starlette.requests import Request
    from starlette.responses import Response

    from kakurenbo.web.site import Site

_GRACE: Final = 10  # seconds in which answers under way may end


def make_app(
    site: Site,
    routers: Sequence[APIRouter],
    *,
    api: str = "/api/v1",
    version: str = "1",
    lifespan: Any = None,  # noqa: ANN401 - whatever FastAPI takes
) -> FastAPI:
    """Return an application; one with a route that does not say who may take it is refused.

    Args:
        site: what the application tells about itself.
        routers: its routes.
        api: under which path programs find the API and its description.
        version: of the API.
        lifespan: what is done when the application starts and stops.
    """
    app = FastAPI(
        title=site.title, version=version, lifespan=lifespan, openapi_url=None, docs_url=None, redoc_url=None,
        redirect_slashes=False,
    )  # fmt: skip
    app.state.site = site
    if site.uploads is not None:
        tidy(site.uploads)
    for router in (*routers, own_routes(api)):
        app.include_router(router)
    _refuse_open_doors(app)
    for kind in (HTTPException, KakurenboError, RequestValidationError):
        app.add_exception_handler(kind, _refused)
    app.add_middleware(Guard, site=site)
    _ = site.pages, site.words, site.assets  # what is missing is missed now, and not by the first visitor
    return app


def _refuse_open_doors(app: FastAPI) -> None:
    open_doors = [walk.path for walk in roles_of(app) if walk.role is None]
    if open_doors:
        raise ParameterError(
            f"These routes do not say who may take them: {', '.join(open_doors)}.", code="contest"
        )


async def _refused(request: Request, error: Exception) -> Response:
    """Tell of an error; a page of it shows who is signed in, as all pages do."""
    visit = visit_of(request)
    if visit.person is None and visit.is_named and not visit.bearer:
        try:
            await run_in_threadpool(identify, visit)
        except Exception as unknown:  # noqa: BLE001 - the page comes without a name then
            note(unknown)
    return answer(request, _invalid(error) if isinstance(error, RequestValidationError) else error)


def _invalid(error: RequestValidationError) -> Refusal:
    """Return what is wrong with the parameters of a request, without what was sent."""
    faults = [
        {"where": ".".join(str(part) for part in one["loc"]), "fault": str(one["msg"])}
        for one in error.errors()
    ]
    return Refusal(422, code="parameter", faults=faults)


def serve(
    app: FastAPI,
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    proxies: Sequence[str] = (),
    ready: Callable[[int], None] | None = None,
    stop: threading.Event | None = None,
) -> None:
    """Serve an application until a signal comes or `stop` is set.

    Args:
        app: the application.
        host: the address to listen on.
        port: the port; 0 takes any that is free.
        proxies: addresses of proxies whose word is taken on who asks, and whether by https.
        ready: told the port, once the server listens.
        stop: set by another thread to end it.
    """
    config = uvicorn.Config(
        app, host=host, port=port, server_header=False, access_log=False, log_level="warning", ws="none",
        proxy_headers=bool(proxies), forwarded_allow_ips=list(proxies), timeout_graceful_shutdown=_GRACE,
    )  # fmt: skip
    _Server(config, ready, stop or threading.Event()).run()


class _Server(uvicorn.Server):
    """A server that tells when it listens, and ends when it is told to."""

    def __init__(
        self, config: uvicorn.Config, ready: Callable[[int], None] | None, stop: threading.Event
    ) -> None:
        super().__init__(config)
        self._ready, self._stop = ready, stop

    async def startup(self, sockets: Any = None) -> None:  # noqa: ANN401 - as uvicorn has it
        """Listen."""
        await super().startup(sockets)
        if self._ready is not None and self.started:
            self._ready(self.servers[0].sockets[0].getsockname()[1])

    def handle_exit(self, sig: int, frame: Any) -> None:  # noqa: ANN401, ARG002 - as uvicorn has it
        """End by a signal, and leave it at that, so that whoever called can put things in order."""
        self.force_exit = self.should_exit
        self.should_exit = True

    async def on_tick(self, counter: int) -> bool:
        """Return whether it is time to end, ten times a second."""
        self.should_exit = self.should_exit or self._stop.is_set()
        return await super().on_tick(counter)
