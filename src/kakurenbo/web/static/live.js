// What pages do when scripts run: parts that refresh themselves, countdowns, copying, and forms sent once.
// Everything works without this file; it never runs what it fetches.
"use strict";

(() => {
  const words = document.documentElement.dataset;
  const announcer = document.getElementById("announcer");
  const gone = new Set([401, 403, 404, 410]);
  const longest = 300;
  let ahead = words.now ? Number(words.now) * 1000 - Date.now() : 0; // the server's clock against ours

  const say = (text) => {
    if (announcer && text) announcer.textContent = text;
  };

  const spoken = (part) => part.querySelector("[data-announce]")?.textContent.replace(/\s+/g, " ").trim() ?? "";

  class Live {
    constructor(part) {
      this.part = part;
      this.every = Math.max(2, Number(part.dataset.every) || 15);
      this.wait = this.every;
      this.said = spoken(part);
      this.html = "";
      if (!this.isOver()) this.later();
    }

    isOver() {
      return "until" in this.part.dataset && this.part.querySelector("[data-done]") !== null;
    }

    later() {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.look(), this.wait * 1000 * (0.9 + 0.2 * Math.random()));
    }

    soon() {
      if (this.stopped || this.busy) return;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.look(), 500 + 1500 * Math.random());
    }

    async look() {
      if (document.hidden || this.busy || !this.part.isConnected) return;
      this.busy = true;
      try {
        const answer = await fetch(this.part.dataset.live, {
          headers: { Accept: "text/html, application/json", "X-Live": "1" },
          credentials: "same-origin",
          cache: "no-store",
          redirect: "manual",
          signal: AbortSignal.timeout(20000),
        });
        await this.take(answer);
      } catch {
        this.failed();
      }
      this.busy = false;
      if (!this.stopped) this.later();
    }

    async take(answer) {
      const date = Date.parse(answer.headers.get("Date") ?? "");
      if (Math.abs(date - Date.now() - ahead) > 2500) ahead = date - Date.now();
      if (answer.type === "opaqueredirect" || gone.has(answer.status)) {
        this.stopped = true;
      } else if (!answer.ok) {
        this.failed();
      } else {
        this.wait = this.every;
        delete this.part.dataset.stale;
        if (answer.status !== 204) await this.show(answer);
        this.stopped = this.isOver();
      }
    }

    failed() {
      this.wait = Math.min(longest, this.wait * 2);
      this.part.dataset.stale = "";
    }

    async show(answer) {
      const kind = answer.headers.get("Content-Type") ?? "";
      if (kind.startsWith("application/json")) {
        this.fill(await answer.json());
      } else if (kind.startsWith("text/html")) {
        const html = await answer.text();
        if (html === this.html || this.isTypedIn()) return;
        this.html = html;
        this.replace(html);
      }
      const text = spoken(this.part);
      if ("say" in this.part.dataset && text !== this.said) say(text);
      this.said = text;
    }

    fill(values) {
      for (const place of this.part.querySelectorAll("[data-field]")) {
        const value = values[place.dataset.field];
        if (value !== undefined && value !== null) place.textContent = String(value);
      }
    }

    isTypedIn() {
      const active = document.activeElement;
      return this.part.contains(active) && active.matches("input, textarea, select");
    }

    // The new parts come from our own templates; what could run is left out all the same.
    replace(html) {
      const fresh = new DOMParser().parseFromString(html, "text/html");
      for (const wild of fresh.querySelectorAll("script, iframe, object, embed, base, link, style, meta")) wild.remove();
      const kept = this.remembered();
      this.part.replaceChildren(...[...fresh.body.childNodes].map((node) => document.importNode(node, true)));
      this.restore(kept);
      tick();
    }

    remembered() {
      const active = this.part.contains(document.activeElement) ? document.activeElement : null;
      return {
        focus: active && { id: active.id, href: active.getAttribute("href"), place: this.places(active).indexOf(active) },
        scrolled: [...this.part.querySelectorAll(".scroll")].map((box) => box.scrollLeft),
        open: [...this.part.querySelectorAll("details")].map((box) => box.open),
      };
    }

    restore({ focus, scrolled, open }) {
      this.part.querySelectorAll(".scroll").forEach((box, place) => { box.scrollLeft = scrolled[place] ?? 0; });
      this.part.querySelectorAll("details").forEach((box, place) => { box.open = open[place] ?? box.open; });
      if (!focus) return;
      const same = (one) => (focus.id ? one.id === focus.id : focus.href !== null && one.getAttribute("href") === focus.href);
      const places = this.places();
      (places.find(same) ?? places[focus.place])?.focus({ preventScroll: true });
    }

    places() {
      return [...this.part.querySelectorAll("a[href], button, summary, [tabindex]")];
    }
  }

  const parts = [...document.querySelectorAll("[data-live]")].map((part) => new Live(part));
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) for (const part of parts) part.soon();
  });

  // Countdowns: the two largest units, as the server wrote them.
  const left = (time) => {
    const seconds = Math.floor((Date.parse(time.dateTime) - Date.now() - ahead) / 1000);
    if (!(seconds > 0)) return null;
    const sizes = { d: Math.floor(seconds / 86400), h: Math.floor(seconds / 3600) % 24, m: Math.floor(seconds / 60) % 60, s: seconds % 60 };
    const names = Object.keys(sizes);
    const first = names.findIndex((name) => sizes[name] > 0);
    return names.slice(first, first + 2).map((name) => (time.dataset[name] ?? "{n}").replace("{n}", sizes[name])).join(" ");
  };

  const tick = () => {
    for (const time of document.querySelectorAll("time[data-countdown]:not([data-ended])")) {
      const text = left(time);
      if (text === null) {
        time.dataset.ended = "";
        const part = parts.find((one) => one.part.contains(time));
        if (part) part.soon();
      }
      const shown = text ?? time.dataset.over ?? "";
      if (time.textContent !== shown) time.textContent = shown;
    }
  };
  tick();
  setInterval(() => { if (!document.hidden) tick(); }, 1000);

  // Buttons that copy appear only where they work.
  const reveal = () => {
    if (!navigator.clipboard) return;
    for (const button of document.querySelectorAll("button[data-copy][hidden]")) button.hidden = false;
  };
  reveal();
  document.addEventListener("click", async (event) => {
    const button = event.target instanceof Element ? event.target.closest("button[data-copy]") : null;
    const source = button && document.querySelector(button.dataset.copy);
    if (!source) return;
    try {
      await navigator.clipboard.writeText(source.textContent.trim());
      say(words.copied);
      button.textContent = words.copied;
    } catch {
      getSelection()?.selectAllChildren(source);
    }
  });

  // A form that is sent once: its buttons rest until the page is shown again.
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.matches("form[data-once]") || event.defaultPrevented) return;
    setTimeout(() => {
      for (const button of form.querySelectorAll("button")) button.disabled = true;
    });
  });
  addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    for (const button of document.querySelectorAll("form[data-once] button")) button.disabled = false;
  });

  // A file that the server would refuse is refused before it is sent.
  document.addEventListener("change", (event) => {
    const input = event.target;
    if (!input.matches("input[type=file][data-max]")) return;
    const most = Number(input.dataset.max);
    const large = [...input.files].some((file) => file.size > most);
    input.setCustomValidity(large ? words.tooLarge : "");
    if (large) input.reportValidity();
  });

  document.querySelector("[role=alert][tabindex]")?.focus();
})();
