"""Tries are counted by address and by account, and the store learns neither."""

import datetime as dt

import pytest

from kakurenbo.web.limits import MemoryAttempts


def tries(browser, name, times):
    return [browser.post("/sign-in", {"name": name}).status_code for _ in range(times)]


def test_an_account_is_not_guessed_without_end(browser):
    assert tries(browser, "nobody", 4) == [403, 403, 403, 429]


def test_an_account_is_not_guessed_from_many_addresses(enter):
    answers = [tries(enter(client=(f"203.0.113.{n}", 1)), "nobody", 1)[0] for n in range(5)]
    assert answers == [403, 403, 403, 429, 429]


def test_capitals_make_no_new_account(enter):
    answers = [
        tries(enter(client=(f"203.0.113.{n}", 1)), name, 1)[0]
        for n, name in enumerate(["nobody", "NOBODY", "Nobody", "nobodY"])
    ]
    assert answers == [403, 403, 403, 429]


def test_many_accounts_are_not_guessed_from_one_address(browser, enter):
    assert [tries(browser, f"name{n}", 1)[0] for n in range(6)] == [403] * 5 + [429]
    assert tries(enter(client=("198.51.100.1", 1)), "name9", 1) == [403]


def test_a_network_of_ipv6_is_one_address(enter):
    answers = [tries(enter(client=(f"2001:db8::{n}", 1)), f"name{n}", 1)[0] for n in range(6)]
    assert answers == [403] * 5 + [429]
    assert tries(enter(client=("2001:db8:0:1::1", 1)), "name9", 1) == [403]


def test_ipv4_in_the_clothes_of_ipv6_is_ipv4(enter):
    answers = [tries(enter(client=(f"::ffff:203.0.113.{n}", 1)), f"name{n}", 1)[0] for n in range(6)]
    assert answers == [403] * 6


def test_an_address_that_is_none_is_counted_too(enter):
    answers = [tries(enter(client=("unix", 0)), f"name{n}", 1)[0] for n in range(6)]
    assert answers == [403] * 5 + [429]


def test_the_window_ends_and_the_answer_says_when(browser, clock):
    clock.move(seconds=20.5)
    tries(browser, "nobody", 3)
    answer = browser.post("/sign-in", {"name": "nobody"})
    assert answer.headers["retry-after"] == "40"
    assert "Please try again in 40 seconds." in answer.text
    assert (
        "40秒後にもう一度"
        in browser.ask("POST", "/sign-in?lang=ja", data={"name": "nobody", "csrf": browser.token()}).text
    )
    clock.move(seconds=40)
    assert tries(browser, "nobody", 1) == [403]


def test_who_is_who_he_says_is_forgiven(browser):
    tries(browser, "u1", 2)
    assert tries(browser, "u1", 1) == [303]


def test_the_store_learns_no_address_and_no_name(browser, site):
    tries(browser, "nobody", 1)
    kept = repr(site.attempts._counts)
    assert "203.0.113.7" not in kept
    assert "nobody" not in kept
    assert all(len(key) == 64 for key in site.attempts._counts)


@pytest.mark.parametrize("windows", [(1, 1, 1), (1, 2, 2)])
def test_the_store_in_memory_counts_by_window(windows):
    store, now = MemoryAttempts(), dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
    counts = [store.add("a", window, now) for window in windows]
    assert counts == ([1, 2, 3] if windows[1] == 1 else [1, 1, 2])
    store.forget("a")
    assert store.add("a", windows[-1], now) == 1


def test_the_store_in_memory_does_not_grow_without_end():
    store, now = MemoryAttempts(), dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
    for number in range(10_001):
        store.add(str(number), 1, now)
    store.add("later", 2, now + dt.timedelta(days=2))
    assert len(store._counts) == 1
