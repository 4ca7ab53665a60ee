"""Accounts and teams: passwords and codes are kept as hashes, names are compared as they look."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import text

from contest import cups
from contest.cups import begin, on_both_databases
from kakurenbo.contest import accounts, log, stores, teams
from kakurenbo.contest.database.models import Table
from kakurenbo.errors import ParameterError
from kakurenbo.web import passwords

PASSWORD = "correct horse battery"  # noqa: S105 - of nobody


def refused(code, call, *arguments, **options):
    with pytest.raises(ParameterError) as caught:
        call(*arguments, **options)
    assert caught.value.code == code
    return str(caught.value)


def everything(contest):
    """Return all that the database holds, as text."""
    with contest.database.reading() as session:
        tables = Table.metadata.tables
        return repr([session.execute(table.select()).all() for table in tables.values()])


def test_who_signed_up_signs_in_and_nobody_else(contest):
    user = accounts.sign_up(contest, "  Taro   Tanaka ", PASSWORD, "ja")
    assert (user.name, user.organiser, user.language) == ("Taro Tanaka", False, "ja")
    assert accounts.sign_in(contest, "taro tanaka", PASSWORD) == user
    assert accounts.sign_in(contest, "\uff34aro Tanaka", PASSWORD) == user
    assert accounts.sign_in(contest, "Taro Tanaka", PASSWORD + "x") is None
    assert accounts.sign_in(contest, "Nobody", PASSWORD) is None
    assert accounts.user_of(contest, user.id) == user
    assert accounts.users(contest) == [user]


@on_both_databases
def test_a_name_that_looks_the_same_is_taken(contest):
    accounts.sign_up(contest, "Taro", PASSWORD)
    for name in ("taro", "TARO", " Taro", "\uff34aro"):
        refused("exists", accounts.sign_up, contest, name, PASSWORD)


@on_both_databases
def test_of_two_who_take_a_name_at_once_one_gets_it(contest):
    def sign_up(_):
        try:
            return accounts.sign_up(contest, "Taro", PASSWORD)
        except ParameterError as error:
            return error.code

    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(sign_up, range(6)))
    assert answers.count("exists") == 5
    assert len(accounts.users(contest)) == 1


@pytest.mark.parametrize("name", ["", "   ", "x" * 61, "a\u200bb", "a\x00b", "\u202eorat"])
def test_names_that_cannot_be_seen_are_refused(contest, name):
    refused("parameter", accounts.sign_up, contest, name, PASSWORD)


def test_a_name_nobody_has_costs_a_hash_too(contest, monkeypatch):
    """The answer takes as long and is the same, so it tells nothing about who is there."""
    accounts.sign_up(contest, "Taro", PASSWORD)
    checked = []
    real = passwords.verify_password
    monkeypatch.setattr(
        passwords, "verify_password", lambda kept, given: checked.append(kept) or real(kept, given)
    )
    for name in ("Taro", "Nobody", "", "x" * 500, "\x00"):
        assert accounts.sign_in(contest, name, "wrong " + PASSWORD) is None
    assert len(checked) == 5
    assert len({kept.rsplit("$", 2)[0] for kept in checked}) == 1


def test_signing_up_ends_with_the_contest(contest):
    begin(contest, "seek")
    accounts.sign_up(contest, "Late", PASSWORD)
    begin(contest, "final")
    refused("closed", accounts.sign_up, contest, "Too late", PASSWORD)


def test_passwords_are_checked_and_changed_and_old_sessions_end(contest):
    refused("parameter", accounts.sign_up, contest, "Taro", "short")
    user = accounts.sign_up(contest, "Taro", PASSWORD)
    sessions = stores.ContestSessions(contest)
    sessions.save(_session(contest, user, "a" * 64))
    refused("denied", accounts.change_password, contest, user, "wrong", "another horse battery")
    assert sessions.load("a" * 64) is not None
    refused("parameter", accounts.change_password, contest, user, PASSWORD, "short")
    accounts.change_password(contest, user, PASSWORD, "another horse battery")
    assert sessions.load("a" * 64) is None
    assert accounts.sign_in(contest, "Taro", PASSWORD) is None
    assert accounts.sign_in(contest, "Taro", "another horse battery") == user


def test_a_language_is_one_of_those_there_are(contest):
    user = accounts.sign_up(contest, "Taro", PASSWORD)
    refused("parameter", accounts.sign_up, contest, "Hanako", PASSWORD, "fr")
    refused("parameter", accounts.change_language, contest, user, "fr")
    accounts.change_language(contest, user, "ja")
    assert accounts.user_of(contest, user.id).language == "ja"


def test_an_organiser_is_made_at_any_time_and_plays_in_no_team(contest):
    begin(contest, "final")
    organiser = accounts.make_organiser(contest, "Organiser", PASSWORD)
    assert organiser.organiser
    begin(contest, "sign-up")
    refused("denied", teams.create_team, contest, organiser, "Team")
    accounts.sign_up(contest, "Helper", PASSWORD)
    helper = accounts.make_organiser(contest, "helper", "another horse battery")
    assert helper.organiser
    assert accounts.sign_in(contest, "Helper", PASSWORD) is None
    player = accounts.sign_up(contest, "Player", PASSWORD)
    teams.create_team(contest, player, "Team")
    refused("denied", accounts.make_organiser, contest, "Player", PASSWORD)


@on_both_databases
def test_a_token_is_shown_once_and_works_until_it_is_removed(contest):
    user, other = cups.person(contest, "Taro"), cups.person(contest, "Hanako")
    token = accounts.make_token(contest, user, "laptop")
    assert accounts.by_token(contest, token) == user
    assert accounts.by_token(contest, token[:-1]) is None
    assert accounts.by_token(contest, "") is None
    (kept,) = accounts.tokens(contest, user)
    assert kept.label == "laptop"
    accounts.remove_token(contest, other, kept.id)
    assert accounts.by_token(contest, token) == user
    accounts.remove_token(contest, user, kept.id)
    assert accounts.by_token(contest, token) is None
    for _ in range(accounts.MOST_TOKENS):
        accounts.make_token(contest, user)
    refused("quota", accounts.make_token, contest, user)


def test_no_secret_stands_in_the_database_or_in_the_log(contest):
    user = accounts.sign_up(contest, "Taro", PASSWORD)
    token = accounts.make_token(contest, user, "laptop")
    _, code = teams.create_team(contest, user, "Hiders")
    renewed = teams.renew_code(contest, user)
    kept = everything(contest) + repr(log.read(contest))
    for secret in (PASSWORD, token, token.removeprefix("kkb_"), code, renewed):
        assert secret not in kept
    assert "$argon2id$" in kept
    assert {line.what for line in log.read(contest)} == {"sign-up", "token", "team", "join-code"}


@on_both_databases
def test_teams_are_founded_joined_and_left(contest):
    founder, second, third = (cups.person(contest, name) for name in ("A", "B", "C"))
    team, code = teams.create_team(contest, founder, "Hiders")
    refused("denied", teams.create_team, contest, founder, "Second")
    refused("exists", teams.create_team, contest, second, "HIDERS")
    refused("denied", teams.join_team, contest, second, "wrong")
    joined = teams.join_team(contest, second, f" {code}\n")
    assert (joined.id, joined.members) == (team.id, ("A", "B"))
    assert teams.team_of(contest, second) == teams.team(contest, team.id) == joined
    refused("denied", teams.join_team, contest, second, code)
    refused("quota", teams.join_team, contest, third, code)
    teams.leave_team(contest, second)
    assert teams.team_of(contest, second) is None
    renewed = teams.renew_code(contest, founder)
    refused("denied", teams.join_team, contest, third, code)
    teams.join_team(contest, third, renewed)
    refused("denied", teams.renew_code, contest, second)
    assert [one.members for one in teams.teams(contest)] == [("A", "C")]


@on_both_databases
def test_an_empty_team_that_handed_in_nothing_is_gone(contest):
    user = cups.person(contest, "A")
    team, _ = teams.create_team(contest, user, "Hiders")
    teams.leave_team(contest, user)
    teams.leave_team(contest, user)
    assert teams.team(contest, team.id) is None
    begin(contest, "hide")
    team, _ = teams.create_team(contest, user, "Hiders")
    from kakurenbo.contest.submissions import submit  # noqa: PLC0415

    submit(contest, user, "release", b"good", "T.csv")
    teams.leave_team(contest, user)
    assert teams.team(contest, team.id).members == ()


def test_nobody_changes_teams_when_seeking(contest):
    founder, late = cups.person(contest, "A"), cups.person(contest, "B")
    _, code = teams.create_team(contest, founder, "Hiders")
    begin(contest, "seek")
    refused("closed", teams.leave_team, contest, founder)
    refused("closed", teams.create_team, contest, late, "Late")
    teams.join_team(contest, late, code)
    begin(contest, "final")
    refused("closed", teams.join_team, contest, cups.person(contest, "C"), code)


@on_both_databases
def test_there_are_only_so_many_teams(contest):
    for number in range(4):
        teams.create_team(contest, cups.person(contest, f"P{number}"), f"T{number}")
    refused("quota", teams.create_team, contest, cups.person(contest, "P5"), "T5")


def _session(contest, user, key, days=1):
    from kakurenbo.web.sessions import Session  # noqa: PLC0415

    now = contest.clock()
    return Session(key, user.id, now, now, now + days * cups.DAY)


@on_both_databases
def test_sessions_are_kept_forgotten_and_end(contest):
    sessions, user, other = (
        stores.ContestSessions(contest),
        cups.person(contest, "A"),
        cups.person(contest, "B"),
    )
    kept = [_session(contest, user, letter * 64) for letter in "ab"]
    for session in (*kept, _session(contest, other, "c" * 64, days=3)):
        sessions.save(session)
        sessions.save(session)
    assert sessions.load("a" * 64) == kept[0]
    sessions.drop_all(user.id, but="b" * 64)
    assert [sessions.load(letter * 64) is not None for letter in "abc"] == [False, True, True]
    sessions.touch("b" * 64, contest.clock() + cups.SECOND)
    assert sessions.load("b" * 64).seen == contest.clock() + cups.SECOND
    sessions.drop("b" * 64)
    sessions.drop("b" * 64)
    sessions.touch("b" * 64, contest.clock())
    assert sessions.load("b" * 64) is None
    contest.clock.go(2 * cups.DAY)
    sessions.save(_session(contest, user, "d" * 64))
    contest.clock.go(2 * cups.DAY)
    sessions.save(_session(contest, user, "e" * 64))
    with contest.database.reading() as session:
        assert session.execute(text("SELECT count(*) FROM sessions")).scalar() == 1


@on_both_databases
def test_tries_are_counted_by_window(contest):
    attempts = stores.ContestAttempts(contest)
    later = contest.clock() + cups.DAY
    assert [attempts.add("a" * 64, 1, later) for _ in range(3)] == [1, 2, 3]
    assert attempts.add("b" * 64, 1, later) == 1
    assert attempts.add("a" * 64, 2, later) == 1
    attempts.forget("a" * 64)
    assert attempts.add("a" * 64, 2, later) == 1
    contest.clock.go(2 * cups.DAY)
    attempts.add("c" * 64, 16, contest.clock() + cups.DAY)
    with contest.database.reading() as session:
        assert session.execute(text("SELECT count(*) FROM attempts")).scalar() == 1
