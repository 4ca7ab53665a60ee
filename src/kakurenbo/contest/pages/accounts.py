"""Signing up, in and out; one's own account: password, language, tokens."""

from typing import Any

from fastapi import APIRouter, Request, Response

from kakurenbo.contest import accounts
from kakurenbo.contest.pages.common import FormFault, about, again, contest_of, me, speak
from kakurenbo.web import limits
from kakurenbo.web.flash import flash
from kakurenbo.web.forms import form
from kakurenbo.web.passwords import check_password
from kakurenbo.web.redirects import back, go, local_path
from kakurenbo.web.refusals import Refusal
from kakurenbo.web.roles import needs, person, visitor
from kakurenbo.web.sessions import sign_in, sign_out, sign_out_everywhere
from kakurenbo.web.templating import render
from kakurenbo.web.visit import visit_of

router = APIRouter(include_in_schema=False)


@router.get("/sign-up", dependencies=[needs("anyone")])
def sign_up_page(request: Request) -> Response:
    """Show the form for a new account."""
    return go("/account") if visitor(request) else render(request, "sign_up.html", faults={}, name="")


@router.post("/sign-up", dependencies=[needs("anyone")])
def sign_up(request: Request) -> Response:
    """Make an account, and sign in with it."""
    contest, sent = contest_of(request), form(request)
    limits.check(request, limits.SIGN_UP)
    try:
        with about("password"):
            password = sent.secret("password")
            check_password(password, sent.get("name", ""))
        with about("name"):
            name = sent.text("name", longest=60)
            user = accounts.sign_up(contest, name, password, visit_of(request).lang)
    except FormFault as fault:
        return again(request, "sign_up.html", fault, name=sent.get("name", "")[:60])
    sign_in(request, user.id)
    flash(request, "Your account is made, and you are signed in. Now found a team, or join one.")
    return go("/team")


@router.get("/sign-in", dependencies=[needs("anyone")])
def sign_in_page(request: Request) -> Response:
    """Show the form to sign in."""
    target = local_path(request.query_params.get("next"))
    if visitor(request):
        return go(target)
    return render(request, "sign_in.html", faults={}, name="", next=target)


@router.post("/sign-in", dependencies=[needs("anyone")])
def signed_in(request: Request) -> Response:
    """Sign somebody in; a wrong name and a wrong password are told alike."""
    contest, sent = contest_of(request), form(request)
    name = sent.get("name", "")[:60]
    limits.check(request, limits.SIGN_IN, name)
    user = accounts.sign_in(contest, name, sent.get("password", ""))
    if user is None:
        wrong = FormFault("name", Refusal(422, "Name or password is not right."))
        return again(request, "sign_in.html", wrong, name=name, next=local_path(sent.get("next")))
    limits.forgive(request, limits.SIGN_IN, name)
    sign_in(request, user.id)
    speak(request, user.language)
    return back(request)


@router.post("/sign-out", dependencies=[needs("anyone")])
def signed_out(request: Request) -> Response:
    """Sign somebody out."""
    sign_out(request)
    flash(request, "You are signed out.")
    return go("/")


@router.get("/account", dependencies=[needs("user")])
def account(request: Request) -> Response:
    """Show one's account."""
    return render(request, "account.html", faults={}, **_account(request))


@router.post("/account/password", dependencies=[needs("user")])
def password(request: Request) -> Response:
    """Change the password; every other session of this person ends."""
    user, sent = me(request).user, form(request)
    limits.check(request, limits.SIGN_IN, user.name)
    try:
        with about("new"):
            check_password(sent.secret("new"), user.name)
        with about("old"):
            accounts.change_password(contest_of(request), user, sent.secret("old"), sent.secret("new"))
    except FormFault as fault:
        return again(request, "account.html", fault, **_account(request))
    limits.forgive(request, limits.SIGN_IN, user.name)
    sign_out_everywhere(request, user.id)
    flash(request, "Your password is changed. You are signed out everywhere else.")
    return go("/account")


@router.post("/account/language", dependencies=[needs("user")])
def language(request: Request) -> Response:
    """Change the language of one's pages."""
    chosen = form(request).choice("language", accounts.LANGUAGES)
    accounts.change_language(contest_of(request), me(request).user, chosen)
    speak(request, chosen)
    flash(request, "Your language is changed.")
    return go("/account")


@router.post("/account/tokens", dependencies=[needs("user")])
def new_token(request: Request) -> Response:
    """Make a token; it is shown on this very answer and never again."""
    user = me(request).user
    limits.check(request, limits.TOKEN, user.id)
    try:
        with about("label"):
            label = form(request).text("label", longest=60)
            made = accounts.make_token(contest_of(request), user, label)
    except FormFault as fault:
        return again(request, "account.html", fault, **_account(request))
    return render(request, "account.html", status=201, faults={}, **{**_account(request), "made": made})


@router.post("/account/tokens/{token}/remove", dependencies=[needs("user")])
def remove_token(request: Request, token: str) -> Response:
    """Remove one of one's own tokens."""
    accounts.remove_token(contest_of(request), me(request).user, token)
    flash(request, "The token is removed.")
    return go("/account")


def _account(request: Request) -> dict[str, Any]:
    user, visit = me(request).user, visit_of(request)
    server = f"{'https' if visit.secure else 'http'}://{request.headers.get('host', '')}"
    return {
        "server": server,
        "user": user,
        "named": person(request).name,
        "tokens": accounts.tokens(contest_of(request), user),
        "made": None,
        "spoken": accounts.LANGUAGES,
    }
