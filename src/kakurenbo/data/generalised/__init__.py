"""Generalised values: what a release may hold in place of a value, written and read in one place.

| form | written as |
|---|---|
| range | `[20..29]`, `20-29`, `20..29`, `20 to 29`, `[20, 30)`, `(20, 30]`; numbers or ISO dates and times |
| open range | `>=65`, `<18`, `65+`, `(65, inf]` |
| date | a day `2024-05-17`, its month `2024-05`, its year `2024` |
| set | `{a,b}`, `a|b`, `a;b`, `a,b`; its parts may be ranges or masks |
| quoted set | `{"a, b","c"}`; its parts are themselves alone, with a backslash before `"` and backslash |
| mask | `130**` (a star is one character), `4020*` (one star at the end is any rest) |
| all | `*`, nothing, `ANY` |

`writing` writes the first way of each that `k-anonymize` needs; `forms` reads all of them, since other
programs write them otherwise. Numbers are read as float64 and moments to the microsecond: of values that
differ by less, a range may hold a neighbour too many, but never one too few.
"""
