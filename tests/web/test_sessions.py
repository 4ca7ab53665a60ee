"""Sessions: cookies with their flags, a new secret at every sign-in, an end by idleness and by age."""

import datetime as dt

import pytest

from kakurenbo.web.sessions import MemorySessions, Session


def flags(answer, name):
    (header,) = [one for one in answer.headers.get_list("set-cookie") if name in one.partition("=")[0]]
    named, *rest = header.split("; ")
    return named.partition("=")[0], set(rest)


def test_the_cookie_by_http(browser):
    name, told = flags(browser.sign_in("u1"), "session")
    assert name == "kakurenbo_session"
    assert told == {"Path=/", "HttpOnly", "SameSite=Lax", "Max-Age=604800"}


def test_the_cookie_by_https_can_be_set_by_no_other_host(enter):
    browser = enter("https://localhost")
    name, told = flags(browser.sign_in("u1"), "session")
    assert name == "__Host-kakurenbo_session"
    assert told == {"Path=/", "HttpOnly", "SameSite=Lax", "Max-Age=604800", "Secure"}
    assert browser.get("/who").text == "Uta"


@pytest.mark.parametrize("path", ["/form", "/lang/ja", "/theme/dark"])
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_every_cookie_has_its_flags(enter, path, scheme):
    headers = enter(f"{scheme}://localhost").get(path).headers.get_list("set-cookie")
    assert headers
    for header in headers:
        assert {"Path=/", "HttpOnly", "SameSite=Lax"} <= set(header.split("; "))
        assert ("Secure" in header) == (scheme == "https") == header.startswith("__Host-")


def test_a_cookie_of_http_means_nothing_by_https(enter, app):
    browser = enter()
    browser.sign_in("u1")
    planted = {"cookie": f"kakurenbo_session={browser.cookie('session')}"}
    assert enter().get("/who", headers=planted).text == "Uta"
    assert enter("https://localhost").get("/who", headers=planted).text == "nobody"


def test_a_page_without_a_form_sets_no_cookie(browser):
    assert "set-cookie" not in browser.get("/").headers


def test_signing_in_changes_the_secret_and_ends_the_session_before(browser, enter):
    browser.sign_in("u1")
    first = browser.cookie("session")
    browser.sign_in("m1")
    assert browser.cookie("session") != first
    assert browser.get("/who").text == "Miki"
    assert enter().get("/who", headers={"cookie": f"kakurenbo_session={first}"}).text == "nobody"


def test_a_planted_session_leads_nowhere(browser, enter):
    browser.client.cookies.set("kakurenbo_session", "planted-by-somebody", domain="localhost.local")
    browser.sign_in("u1")
    assert enter().get("/who", headers={"cookie": "kakurenbo_session=planted-by-somebody"}).text == "nobody"


def test_signing_out_ends_the_session_on_both_sides(browser, enter):
    browser.sign_in("u1")
    token = browser.cookie("session")
    answer = browser.post("/sign-out")
    assert answer.headers["location"] == "/"
    assert browser.cookie("session") is None
    assert enter().get("/who", headers={"cookie": f"kakurenbo_session={token}"}).text == "nobody"


def test_a_changed_password_ends_all_other_sessions(browser, enter):
    other, stranger = enter(), enter()
    for one, name in ((browser, "u1"), (other, "u1"), (stranger, "m1")):
        one.sign_in(name)
    before = browser.cookie("session")
    assert browser.post("/password").status_code == 303
    assert browser.cookie("session") != before
    assert [one.get("/who").text for one in (browser, other, stranger)] == ["Uta", "nobody", "Miki"]


def test_a_session_ends_when_it_is_not_used(browser, clock):
    browser.sign_in("u1")
    clock.move(hours=11, minutes=59)
    assert browser.get("/who").text == "Uta"
    clock.move(hours=11, minutes=59)
    assert browser.get("/who").text == "Uta"
    clock.move(hours=12)
    assert browser.get("/who").text == "nobody"


def test_a_session_ends_after_a_week_however_much_it_is_used(browser, clock):
    browser.sign_in("u1")
    for _ in range(16):
        clock.move(hours=10)
        assert browser.get("/who").text == "Uta"
    clock.move(hours=8)
    assert browser.get("/who").text == "nobody"


def test_being_seen_is_written_now_and_then_only(enter, changed_site, clock):
    class Counting(MemorySessions):
        saves = 0

        def touch(self, key, seen):
            self.saves += 1
            super().touch(key, seen)

    store = Counting()
    browser = enter(on=changed_site(sessions=store))
    browser.sign_in("u1")
    for _ in range(10):
        clock.move(minutes=1)
        browser.get("/who")
    assert store.saves == 2


def test_signing_out_while_another_request_is_under_way_is_final(enter, changed_site, clock):
    class Slow(MemorySessions):
        ends = False

        def load(self, key):
            found = super().load(key)
            if self.ends:
                self.drop(key)  # as another request does at this moment
            return found

    store = Slow()
    browser = enter(on=changed_site(sessions=store))
    browser.sign_in("u1")
    clock.move(minutes=10)
    store.ends = True
    browser.get("/who")
    assert store._kept == {}


def test_a_store_that_cannot_touch_keeps_the_session_whole(enter, changed_site, clock):
    class Plain:
        def __init__(self):
            inner = MemorySessions()
            self.load, self.save, self.drop, self.drop_all = (
                inner.load,
                inner.save,
                inner.drop,
                inner.drop_all,
            )

    browser = enter(on=changed_site(sessions=Plain()))
    browser.sign_in("u1")
    for _ in range(3):
        clock.move(hours=8)
        assert browser.get("/who").text == "Uta"


def test_a_person_who_is_gone_is_nobody(browser, site):
    browser.sign_in("u1")
    del site.people.ids["u1"]
    assert browser.get("/who").text == "nobody"
    assert browser.get("/user").status_code == 303
    assert browser.post("/change").status_code == 200


def test_the_store_in_memory_drops_all_but_one():
    store, now = MemorySessions(), dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
    for key, person in (("a", "u1"), ("b", "u1"), ("c", "m1")):
        store.save(Session(key, person, now, now, now))
    store.drop_all("u1", but="b")
    assert [store.load(key) is not None for key in "abc"] == [False, True, True]
    store.drop("nowhere")


def test_who_is_signed_in_is_never_shown_to_others_by_a_fault(browser):
    browser.sign_in("u1")
    assert "Uta" in browser.get("/nowhere").text
