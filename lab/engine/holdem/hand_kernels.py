"""One hand of hold'em, compiled: the rules of `hand.Hand` on arrays.

`seats` has a column for each player and the rows below, `game` the numbers that all share. Both are int64.
"""

from typing import Final

from lab.engine.holdem.hand import NOBODY, NOT_YET, SHOWDOWN
from lab.engine.holdem.kernels import Ints, Whole
from ratings.engine.compiled import inner

# Rows of `seats`; VALUE is what the cards of a player are worth on the full board, WON what the pots gave.
STACK, PAID, FOLDED, FACED, VALUE, WON = range(6)
SEAT_ROWS: Final = 6
# Entries of `game`.
N_SEATS, BUTTON, BIG, PRICE, STEP, STREET, ACTOR = range(7)
GAME_SIZE: Final = 7
FOLD, CALL, RAISE = range(3)


@inner
def start_hand(
    seats: Ints, game: Ints, n: Whole, button: Whole, small: Whole, big: Whole, ante: Whole
) -> None:
    """Post antes and blinds; row STACK holds the chips of the `n` players already."""
    for seat in range(n):
        seats[PAID, seat] = min(ante, seats[STACK, seat])
        seats[FOLDED, seat] = 0
        seats[FACED, seat] = NOT_YET
    small_at = button if n == 2 else (button + 1) % n
    big_at = (small_at + 1) % n
    seats[PAID, small_at] = min(seats[STACK, small_at], seats[PAID, small_at] + small)
    seats[PAID, big_at] = min(seats[STACK, big_at], seats[PAID, big_at] + big)
    game[N_SEATS], game[BUTTON], game[BIG] = n, button, big
    game[PRICE], game[STEP], game[STREET] = ante + big, big, 0
    game[ACTOR] = _find(seats, game, small_at + 2)
    _deal_on(seats, game)


@inner
def count_live(seats: Ints, game: Ints) -> Whole:
    """Count the players who have not folded."""
    n = game[N_SEATS]
    for seat in range(game[N_SEATS]):
        n -= seats[FOLDED, seat]
    return n


@inner
def options(seats: Ints, game: Ints) -> tuple[Whole, Whole, Whole]:
    """Say what the player to act may put in, in all: call, lowest and highest raise (0 if none)."""
    seat = game[ACTOR]
    call = max(_to_call(seats, game, seat), seats[PAID, seat])
    high = min(seats[STACK, seat], _most_of_others(seats, game, seat))
    is_reopened = seats[FACED, seat] == NOT_YET or game[PRICE] - seats[FACED, seat] >= game[STEP]
    if high <= max(call, game[PRICE]) or not _others_can_act(seats, game, seat) or not is_reopened:
        return call, 0, 0
    return call, min(game[PRICE] + game[STEP], high), high


@inner
def act(seats: Ints, game: Ints, action: Whole, to: Whole) -> None:
    """Take a decision that the rules allow."""
    seat = game[ACTOR]
    if action == FOLD:
        seats[FOLDED, seat] = 1
    else:
        if action == CALL:
            to = max(_to_call(seats, game, seat), seats[PAID, seat])
        else:
            game[STEP] = max(game[STEP], to - game[PRICE])
            game[PRICE] = to
        seats[PAID, seat] = to
        seats[FACED, seat] = game[PRICE]
    game[ACTOR] = _find(seats, game, seat + 1)
    _deal_on(seats, game)


@inner
def divide_pots(seats: Ints, game: Ints) -> None:
    """Write to row WON what each player gets; row VALUE is read if several have not folded."""
    highest, last = 0, 0
    for seat in range(game[N_SEATS]):
        seats[WON, seat] = 0
        highest = max(highest, seats[PAID, seat])
        if not seats[FOLDED, seat]:
            last = max(last, seats[PAID, seat])
    below = 0
    while below < highest:
        level = last
        for seat in range(game[N_SEATS]):
            if not seats[FOLDED, seat] and seats[PAID, seat] > below:
                level = min(level, seats[PAID, seat])
        top = highest if level == last else level
        pot = 0
        for seat in range(game[N_SEATS]):
            pot += min(seats[PAID, seat], top) - min(seats[PAID, seat], below)
        _share(seats, game, pot, level)
        below = top


@inner
def _share(seats: Ints, game: Ints, pot: Whole, level: Whole) -> None:
    """Divide one pot to which `level` chips of each player were needed."""
    best, n_best = -1, 0
    for seat in range(game[N_SEATS]):
        if not seats[FOLDED, seat] and seats[PAID, seat] >= level:
            if seats[VALUE, seat] > best:
                best, n_best = seats[VALUE, seat], 0
            n_best += seats[VALUE, seat] == best
    odd = pot % n_best
    for at in range(game[N_SEATS]):
        seat = (game[BUTTON] + 1 + at) % game[N_SEATS]
        if not seats[FOLDED, seat] and seats[PAID, seat] >= level and seats[VALUE, seat] == best:
            seats[WON, seat] += pot // n_best + (odd > 0)
            odd -= 1


@inner
def _deal_on(seats: Ints, game: Ints) -> None:
    """Advance to the next street on which a player has to act, or to the end."""
    while game[ACTOR] == NOBODY and game[STREET] < SHOWDOWN and count_live(seats, game) > 1:
        game[STREET] += 1
        for seat in range(game[N_SEATS]):
            seats[FACED, seat] = NOT_YET
        game[STEP] = game[BIG]
        if game[STREET] < SHOWDOWN:
            game[ACTOR] = _find(seats, game, game[BUTTON] + 1)


@inner
def _find(seats: Ints, game: Ints, first: Whole) -> Whole:
    """Find the next player who has to act."""
    if count_live(seats, game) == 1:
        return NOBODY
    for at in range(game[N_SEATS]):
        seat = (first + at) % game[N_SEATS]
        if _has_to_act(seats, game, seat):
            return seat
    return NOBODY


@inner
def _has_to_act(seats: Ints, game: Ints, seat: Whole) -> bool:
    if seats[FOLDED, seat] or seats[PAID, seat] == seats[STACK, seat]:
        return False
    if seats[FACED, seat] == NOT_YET and _others_can_act(seats, game, seat):
        return True
    return bool(seats[PAID, seat] < _to_call(seats, game, seat))


@inner
def _others_can_act(seats: Ints, game: Ints, seat: Whole) -> bool:
    for other in range(game[N_SEATS]):
        if other != seat and not seats[FOLDED, other] and seats[PAID, other] < seats[STACK, other]:
            return True
    return False


@inner
def _most_of_others(seats: Ints, game: Ints, seat: Whole) -> Whole:
    most = 0
    for other in range(game[N_SEATS]):
        if other != seat and not seats[FOLDED, other]:
            most = max(most, seats[STACK, other])
    return most


@inner
def _to_call(seats: Ints, game: Ints, seat: Whole) -> Whole:
    return min(game[PRICE], seats[STACK, seat], _most_of_others(seats, game, seat))
