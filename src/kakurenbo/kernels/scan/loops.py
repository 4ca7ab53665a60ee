"""The compiled loops of a scan."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kakurenbo.kernels.compiled import compiled

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]
    Integers = npt.NDArray[np.int64]
    People = npt.NDArray[np.int32]
    Bits = npt.NDArray[np.uint64]

_NOBODY = np.uint64(0xFFFFFFFFFFFFFFFF)
_LINED_UP = 6  # times, that it is quicker to go through everybody in a row than through who holds something
_ROUNDED = 1 - 1e-9  # sums in another order differ by less
_LOOKED_FOR = 12  # holders that are gone through in a list while somebody is looked for in it
_RECORDS = 16  # whose product is taken before its logarithm: factors up to 10^19 cannot overflow


@compiled
def fill(keys: Bits, slots: People) -> None:
    """Put the places of these distinct keys into the slots of an open-addressing table."""
    mask = np.uint64(len(slots) - 1)
    for place in range(len(keys)):
        at = keys[place] & mask
        while slots[at] >= 0:
            at = (at + np.uint64(1)) & mask
        slots[at] = place


@compiled
def number(hashes: Bits, keys: Bits, slots: People, room: int) -> tuple[People, Bits]:
    """Return the place of every hash among the keys, others numbered on from there, and those others."""
    mask, own = np.uint64(len(slots) - 1), np.full(room, -1, np.int32)
    mine, known = np.uint64(room - 1), len(keys)
    others = np.empty(len(hashes), np.uint64)
    codes = np.empty(len(hashes), np.int32)
    count = 0
    for row in range(len(hashes)):
        key = hashes[row]
        at = key & mask
        while slots[at] >= 0 and keys[slots[at]] != key:
            at = (at + np.uint64(1)) & mask
        if slots[at] >= 0:
            codes[row] = slots[at]
            continue
        at = key & mine
        while own[at] >= 0 and others[own[at]] != key:
            at = (at + np.uint64(1)) & mine
        if own[at] < 0:
            own[at] = count
            others[count] = key
            count += 1
        codes[row] = known + own[at]
    return codes, others[:count].copy()


@compiled
def turn(people: People, codes: People, pieces: Integers, count: int) -> tuple[Integers, People, Integers]:
    """Return (starts, who, held): who holds each code, how often; people ascend, so equals are neighbours."""
    starts = np.zeros(count + 1, np.int64)
    for code in codes:
        starts[code + 1] += 1
    for code in range(count):
        starts[code + 1] += starts[code]
    place = starts[:-1].copy()
    who, held = np.empty(len(codes), np.int32), np.empty(len(codes), np.int64)
    for row in range(len(codes)):
        at = place[codes[row]]
        who[at] = people[row]
        held[at] = pieces[row] if len(pieces) else 1
        place[codes[row]] += 1
    used, begins = 0, np.zeros(count + 1, np.int64)
    for code in range(count):
        first = used
        for p in range(starts[code], starts[code + 1]):
            if used > first and who[used - 1] == who[p]:
                held[used - 1] += held[p]
            else:
                who[used], held[used] = who[p], held[p]
                used += 1
        begins[code + 1] = used
    return begins, who[:used].copy(), held[:used].copy()


@compiled
def mix(bits: np.uint64) -> np.uint64:
    """Return the output of SplitMix64 at this state."""
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


@compiled
def search(  # noqa: C901, PLR0912 - one loop, so that its arrays are made once
    known: tuple[Integers, People],
    postings: tuple[Integers, People, Floats],
    common: tuple[People, Floats],
    least: float,
    close: float,
    sizes: Floats,
    own: tuple[Integers, Integers],
    bits: tuple[Bits, Bits],
    reached: tuple[Floats, Floats],
    first: int,
    last: int,
    out: tuple[Floats, Floats, Integers, Integers, Bits, Bits],
) -> None:
    """Write for targets first..last who fits best: score, size, ties, own among them, and some of them.

    Target t knows the records bounds[t]:bounds[t+1] whose keys are rows of `keys`. Where `least` is 0, what
    is held is added up as it is; else the logarithm of what a record is held, above that of nothing. Each row
    of `sizes` is a rule of its own: among equal scores the smaller is the better. The ties kept, of the first
    targets alone, are those of the lowest draws, which depend on the target and the person and nothing else.
    `reached` is what somebody is known to score for each target, 0 where nothing is known, and the most that
    anybody holds of each key: where keys are added up as they are, who cannot reach it is not looked at.
    """
    bounds, keys = known
    starts = postings[0]
    people = sizes.shape[1]
    total, now, product = np.zeros(people), np.zeros(people), np.ones(people)
    touched, seen = np.empty(people, np.int32), np.empty(people, np.int32)
    for target in range(first, last):
        records = keys[bounds[target] : bounds[target + 1]]
        work = 0
        for r in range(records.shape[0]):
            for g in range(records.shape[1]):
                work += starts[records[r, g] + 1] - starts[records[r, g]]
        dense = 2 * work >= people * records.shape[0] if least > 0 else _LINED_UP * work >= people
        bar, many = reached[0][target] * (1 - close) * _ROUNDED, people
        if bar > 0 and least == 0.0:
            dense, many = False, _reaching(records.ravel(), postings, bar, reached[1], total, touched)
            best = 0.0
            for i in range(many):
                best = max(best, total[touched[i]])
        elif dense:
            _of_all(records, postings, common, least, (total, now, product))
            best = _highest(total)
        else:
            if least > 0:
                many = _score(records, postings, least, (total, now, product), (touched, seen))
            else:
                many = _add(records, postings, total, touched)
            best = 0.0
            for i in range(many):
                best = max(best, total[touched[i]])
        if best > 0:
            bar, tied = best * (1 - close), 0
            for i in range(many):
                person = i if dense else touched[i]
                if total[person] >= bar:
                    seen[tied] = person
                    tied += 1
            _place((target, target), best, (total, seen[:tied], 0), close, sizes, own, bits, out)
        if dense:
            total[:] = 0.0
            continue
        for i in range(many):
            total[touched[i]] = 0.0


@compiled
def _reaching(  # noqa: C901 - one loop over lists that shrinks those who are left
    keys: People,
    postings: tuple[Integers, People, Floats],
    bar: float,
    most: Floats,
    total: Floats,
    touched: People,
) -> int:
    """Add up what everybody holds of these keys who can reach the bar; return how many do.

    Rare keys should come first. As soon as all that is left could not lift a newcomer to the bar, only those
    seen so far are gone on with, and of these whom all that is left can lift (as MaxScore does in text
    search). The others' totals are 0 again.
    """
    starts, holders, held = postings
    rest = np.zeros(len(keys) + 1)
    for i in range(len(keys) - 1, -1, -1):
        rest[i] = rest[i + 1] + most[keys[i]]
    many = 0
    for i in range(len(keys)):
        begin, end = starts[keys[i]], starts[keys[i] + 1]
        if rest[i] >= bar:
            for p in range(begin, end):
                person = holders[p]
                if total[person] == 0.0:
                    touched[many] = person
                    many += 1
                total[person] += held[p]
            continue
        many = _left(bar - rest[i], total, touched, many)
        if many * _LOOKED_FOR < end - begin:
            for j in range(many):
                person = touched[j]
                p = begin + np.searchsorted(holders[begin:end], person)
                if p < end and holders[p] == person:
                    total[person] += held[p]
            continue
        for p in range(begin, end):
            person = holders[p]
            if total[person] != 0.0:
                total[person] += held[p]
    return _left(bar, total, touched, many)


@compiled
def _left(bar: float, total: Floats, touched: People, many: int) -> int:
    """Keep those who are not below the bar; return how many."""
    kept = 0
    for i in range(many):
        person = touched[i]
        if total[person] >= bar:
            touched[kept] = person
            kept += 1
        else:
            total[person] = 0.0
    return kept


@compiled
def most_held(postings: tuple[Integers, People, Floats]) -> Floats:
    """Return the most that anybody holds of each key."""
    starts, _, held = postings
    most = np.zeros(len(starts) - 1)
    for key in range(len(most)):
        for p in range(starts[key], starts[key + 1]):
            most[key] = max(most[key], held[p])
    return most


@compiled
def own_scores(
    known: tuple[Integers, People],
    postings: tuple[Integers, People, Floats],
    least: float,
    own: tuple[Integers, Integers],
) -> Floats:
    """Return what the best of every target's own scores for him, 0 where there is none."""
    (bounds, keys), (starts, holders, held) = known, postings
    scores, scale = np.zeros(len(bounds) - 1), 0.0 if least == 0.0 else 1 / (keys.shape[1] * least)
    for target in range(len(scores)):
        for i in range(own[0][target], own[0][target + 1]):
            person, score = own[1][i], 0.0
            for r in range(bounds[target], bounds[target + 1]):
                record = 0.0
                for key in keys[r]:
                    begin, end = starts[key], starts[key + 1]
                    p = begin + np.searchsorted(holders[begin:end], person)
                    if p < end and holders[p] == person:
                        record += held[p]
                score += record if least == 0.0 else np.log(record * scale + 1)
            scores[target] = max(scores[target], score)
    return scores


@compiled
def _highest(total: Floats) -> float:
    """Return the largest number, at least 0; four are compared at a time, since each waits for the last."""
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    whole = len(total) - len(total) % 4
    for i in range(0, whole, 4):
        a, b = max(a, total[i]), max(b, total[i + 1])
        c, d = max(c, total[i + 2]), max(d, total[i + 3])
    for i in range(whole, len(total)):
        a = max(a, total[i])
    return max(a, b, c, d)


@compiled
def _place(  # noqa: C901 - one step, rule by rule
    sought: tuple[int, int],
    best: float,
    here: tuple[Floats, People, int],
    close: float,
    sizes: Floats,
    own: tuple[Integers, Integers],
    bits: tuple[Bits, Bits],
    out: tuple[Floats, Floats, Integers, Integers, Bits, Bits],
) -> None:
    """Write the best of a stretch of people beside what a target found among those before them.

    `sought` is the row of `out` and the target whose it is; `here` is what everybody of the stretch scores,
    who of them tie for its best, and where it begins.
    """
    score, size, ties, mine, draws, kept = out
    (target, whose), (total, tied, shift) = sought, here
    bar = best * (1 - close)
    for rule in range(len(sizes)):
        smallest, count = np.inf, 0
        for person in tied:
            smallest = min(smallest, sizes[rule, shift + person])
        if score[rule, target] * (1 - close) > best:
            continue
        clear = bar > score[rule, target]
        if not clear and size[rule, target] < smallest:
            continue
        if clear or smallest < size[rule, target]:
            ties[rule, target], mine[rule, target] = 0, 0
            if target < draws.shape[1]:
                draws[rule, target, :], kept[rule, target, :] = _NOBODY, np.uint64(0)
            score[rule, target], size[rule, target] = best, smallest
        score[rule, target] = max(score[rule, target], best)
        for person in tied:
            if sizes[rule, shift + person] == smallest:
                count += 1
                if target < draws.shape[1]:
                    keep(draws[rule, target], kept[rule, target], bits[0][whose], bits[1][shift + person])
        ties[rule, target] += count
        for i in range(own[0][whose], own[0][whose + 1]):
            person = own[1][i] - shift
            if 0 <= person < len(total) and total[person] >= bar and sizes[rule, own[1][i]] == smallest:
                mine[rule, target] += 1


@compiled
def by_records(
    known: tuple[Integers, Integers, Integers],
    records: People,
    postings: tuple[Integers, People, Floats],
    least: float,
    close: float,
    sizes: Floats,
    own: tuple[Integers, Integers],
    bits: tuple[Bits, Bits],
    reached: Floats,
    width: int,
    first: int,
    last: int,
    out: tuple[Floats, Floats, Integers, Integers, Bits, Bits],
) -> None:
    """Write who of people first..last fits every target best, where many targets know the same records.

    What each distinct record counts for each of a few people is worked out once and lies in the cache; then
    a target only adds up the rows of his. Row t of `out` is about target whose[t], who knows the records
    numbers[bounds[t]:bounds[t+1]], each a row of `records`, which hold keys by grain. Where somebody is known
    to score reached[t], few people are looked at whose best values together are less.
    """
    bounds, numbers, whose = known
    starts, holders, _ = postings
    values, total = np.empty((len(records), width)), np.empty(width)
    most, seen = np.empty(len(records)), np.empty(width, np.int32)
    begin = np.empty(len(starts) - 1, np.int64)
    for key in range(len(begin)):
        begin[key] = starts[key] + np.searchsorted(holders[starts[key] : starts[key + 1]], first)
    for shift in range(first, last, width):
        many = min(width, last - shift)
        _worth(records, postings, least, begin, shift, many, values)
        for record in range(len(records)):
            most[record] = _highest(values[record])
        for target in range(len(bounds) - 1):
            mine = numbers[bounds[target] : bounds[target + 1]]
            if _at_most(mine, most) < reached[target] * (1 - close) * _ROUNDED:
                continue
            _add_rows(mine, values, total)
            best = _highest(total[:many])
            if best > 0:
                bar, tied = best * (1 - close), 0
                for i in range(many):
                    if total[i] >= bar:
                        seen[tied] = i
                        tied += 1
                here = (total[:many], seen[:tied], shift)
                _place((target, whose[target]), best, here, close, sizes, own, bits, out)


@compiled
def _at_most(records: Integers, most: Floats) -> float:
    """Return what nobody can score more than, given the most of every record."""
    could = 0.0
    for record in records:
        could += most[record]
    return could


@compiled
def _add_rows(records: Integers, values: Floats, total: Floats) -> None:
    """Add up what these records count for everybody."""
    total[:] = 0.0
    for record in records:
        row = values[record]
        for i in range(len(total)):
            total[i] += row[i]


@compiled
def _worth(
    records: People,
    postings: tuple[Integers, People, Floats],
    least: float,
    begin: Integers,
    shift: int,
    many: int,
    values: Floats,
) -> None:
    """Work out what every record counts for so many people from shift on, and move the beginnings on."""
    starts, holders, held = postings
    scale = 1 / (records.shape[1] * least)
    end = np.empty_like(begin)
    for key in range(len(begin)):
        at = begin[key]
        while at < starts[key + 1] and holders[at] < shift + many:
            at += 1
        end[key] = at
    values[:] = 0.0
    for record in range(len(records)):
        row = values[record]
        for g in range(records.shape[1]):
            key = records[record, g]
            for p in range(begin[key], end[key]):
                row[holders[p] - shift] += held[p]
        for i in range(many):
            if row[i] != 0.0:
                row[i] = np.log(row[i] * scale + 1)
    begin[:] = end


@compiled
def keep(draws: Bits, kept: Bits, target: np.uint64, person: np.uint64) -> None:
    """Keep a person among the few of the lowest draws, which are sorted."""
    draw = mix(target ^ person)
    last = len(draws) - 1
    if last < 0 or draw >= draws[last]:
        return
    while last > 0 and draws[last - 1] > draw:
        draws[last], kept[last] = draws[last - 1], kept[last - 1]
        last -= 1
    draws[last], kept[last] = draw, person


@compiled
def keep_all(
    indptr: Integers, indices: Integers, targets: Bits, people: Bits, draws: Bits, kept: Bits
) -> None:
    """Keep of the first targets' ties those of the lowest draws."""
    for target in range(min(len(indptr) - 1, len(draws))):
        for p in range(indptr[target], indptr[target + 1]):
            keep(draws[target], kept[target], targets[target], people[indices[p]])


@compiled
def _add(records: People, postings: tuple[Integers, People, Floats], total: Floats, touched: People) -> int:
    """Add up for everybody what he holds of these keys; return how many hold any."""
    starts, holders, held = postings
    many = 0
    for r in range(records.shape[0]):
        for g in range(records.shape[1]):
            key = records[r, g]
            for p in range(starts[key], starts[key + 1]):
                person = holders[p]
                if total[person] == 0.0:
                    touched[many] = person
                    many += 1
                total[person] += held[p]
    return many


@compiled
def _score(
    records: People,
    postings: tuple[Integers, People, Floats],
    least: float,
    sums: tuple[Floats, Floats, Floats],
    people: tuple[People, People],
) -> int:
    """Add up for everybody by how much the logarithm of each record lies above that of no match."""
    starts, holders, held = postings
    total, now, product = sums
    touched, seen = people
    many, scale = 0, 1 / (records.shape[1] * least)
    for r in range(records.shape[0]):
        count = 0
        for g in range(records.shape[1]):
            key = records[r, g]
            for p in range(starts[key], starts[key + 1]):
                person = holders[p]
                if now[person] == 0.0:
                    seen[count] = person
                    count += 1
                now[person] += held[p]
        for i in range(count):
            person = seen[i]
            if total[person] == 0.0 and product[person] == 1.0:
                touched[many] = person
                many += 1
            product[person] *= now[person] * scale + 1
            now[person] = 0.0
        if r % _RECORDS == _RECORDS - 1 or r == records.shape[0] - 1:
            for i in range(many):
                if product[touched[i]] != 1.0:
                    total[touched[i]] += np.log(product[touched[i]])
                    product[touched[i]] = 1.0
    return many


@compiled
def _of_all(
    records: People,
    postings: tuple[Integers, People, Floats],
    common: tuple[People, Floats],
    least: float,
    sums: tuple[Floats, Floats, Floats],
) -> None:
    """Add up the same for everybody at once; what a person does not hold adds nothing, so sums are equal."""
    total, now, product = sums
    people, scale = len(total), 0.0 if least == 0.0 else 1 / (records.shape[1] * least)
    for r in range(records.shape[0]):
        for g in range(records.shape[1]):
            _onto(total if least == 0.0 else now, records[r, g], postings, common)
        if least == 0.0:
            continue
        for person in range(people):
            product[person] *= now[person] * scale + 1
            now[person] = 0.0
        if r % _RECORDS == _RECORDS - 1 or r == records.shape[0] - 1:
            for person in range(people):
                if product[person] != 1.0:
                    total[person] += np.log(product[person])
                    product[person] = 1.0


@compiled
def _onto(
    sums: Floats, key: int, postings: tuple[Integers, People, Floats], common: tuple[People, Floats]
) -> None:
    """Add what everybody holds of a key: a row of those that many have, else the list of its holders."""
    starts, holders, held = postings
    rows, values = common
    if rows[key] >= 0:
        row = values[rows[key]]
        for person in range(len(sums)):
            sums[person] += row[person]
        return
    for p in range(starts[key], starts[key + 1]):
        sums[holders[p]] += held[p]


@compiled
def in_rows(postings: tuple[Integers, People, Floats], people: int, least: int) -> tuple[People, Floats]:
    """Return what everybody holds of the keys that so many have, as rows, and the row of every key or -1."""
    starts, holders, held = postings
    rows, count = np.full(len(starts) - 1, -1, np.int32), 0
    for key in range(len(rows)):
        if starts[key + 1] - starts[key] >= least:
            rows[key] = count
            count += 1
    values = np.zeros((count, people))
    for key in range(len(rows)):
        if rows[key] >= 0:
            for p in range(starts[key], starts[key + 1]):
                values[rows[key], holders[p]] = held[p]
    return rows, values
