"""What is wrong with the structure of a page for those who cannot see it, or who go by keyboard."""

from html.parser import HTMLParser

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
LABELLED = {"input", "select", "textarea"}


class Page(HTMLParser):
    """Reads a page, and collects what is wrong."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.wrong, self.stack, self.headings, self.ids, self.wanted = [], [], [], [], []
        self.labels, self.fields, self.tables, self.buttons, self.lang = set(), [], [], [], None
        self.feed(text)
        self.close()
        self._end()

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self._common(tag, given)
        if tag == "html":
            self.lang = given.get("lang")
        if tag[0] == "h" and tag[1:].isdigit():
            self.headings.append(int(tag[1:]))
        if tag == "label":
            self.labels.add(given.get("for"))
        if tag in LABELLED and given.get("type") not in {"hidden", "submit"} and "hidden" not in given:
            inside = any(one == "label" for one, _ in self.stack)
            self.fields.append((given.get("name"), inside or given.get("aria-label"), given.get("id")))
        self._table(tag, given)
        if tag == "form":
            self.buttons.append(given)
        if tag == "input" and given.get("name") == "csrf":
            self.stack.append(("csrf", given))
            self.stack.pop()
            self.buttons[-1]["csrf"] = True
        if tag not in VOID:
            self.stack.append((tag, given))

    def handle_endtag(self, tag):
        while self.stack and self.stack[-1][0] != tag:
            self.wrong.append(f"</{tag}> closes <{self.stack.pop()[0]}>")
        if not self.stack:
            self.wrong.append(f"</{tag}> closes nothing")
            return
        self.stack.pop()

    def _common(self, tag, given):
        if "id" in given:
            self.ids.append(given["id"])
        for name in ("aria-describedby", "aria-labelledby", "for"):
            self.wanted += (given.get(name) or "").split()
        if "style" in given or tag == "style":
            self.wrong.append(f"<{tag}> has a style of its own")
        self.wrong += [f"<{tag}> has {name}" for name in given if name.startswith("on")]
        if tag == "script" and not (given.get("src") or "").startswith("/static/"):
            self.wrong.append("a script within the page")
        if tag == "img" and "alt" not in given:
            self.wrong.append("a picture without a text")
        for name in ("href", "src", "action"):
            if "//" in (given.get(name) or ""):
                self.wrong.append(f"<{tag}> leads elsewhere")

    def _table(self, tag, given):
        if tag == "table":
            self.tables.append({"caption": False, "heads": 0})
        if tag == "caption":
            self.tables[-1]["caption"] = True
        if tag == "th":
            self.tables[-1]["heads"] += 1
            if given.get("scope") not in {"col", "row"}:
                self.wrong.append("a heading of a table without scope")

    def _end(self):
        self.wrong += [f"<{tag}> is not closed" for tag, _ in self.stack]
        if len(set(self.ids)) < len(self.ids):
            self.wrong.append(f"an id stands twice: {[one for one in self.ids if self.ids.count(one) > 1]}")
        self.wrong += [f"there is no element {one}" for one in self.wanted if one not in self.ids]
        for name, named, own in self.fields:
            if not named and own not in self.labels:
                self.wrong.append(f"the field {name} has no label")
        self.wrong += ["a table without a caption" for table in self.tables if not table["caption"]]
        self.wrong += ["a table without headings" for table in self.tables if not table["heads"]]
        self.wrong += [f"a form without its token: {form.get('action')}" for form in self.buttons
                       if form.get("method") == "post" and "csrf" not in form]  # fmt: skip


def faults_of(text, *, whole=True):
    """Return what is wrong with a page, or with a part of one."""
    page = Page(text)
    wrong = list(page.wrong)
    if whole:
        wrong += [] if page.headings.count(1) == 1 else [f"{page.headings.count(1)} first headings"]
        wrong += (
            []
            if page.headings[:1] == [1] or page.headings[1:2] == [1]
            else ["the first heading is not first"]
        )
        wrong += [] if page.lang in {"en", "ja"} else ["no language"]
    steps = zip(page.headings, page.headings[1:], strict=False)
    return wrong + [f"a heading {below} after {above}" for above, below in steps if below > above + 1]
