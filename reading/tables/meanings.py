"""What the columns of a table can mean, and the headings by which people name them."""

import unicodedata
from collections.abc import Sequence
from enum import StrEnum

from django.utils.translation import gettext_lazy as _


class Meaning(StrEnum):
    """The meaning of a column. The values are the columns of docs/event-files.md where there is one."""

    PLACE = "place"
    PLAYER = "player"
    SECOND_NAME = "second_name"
    NUMBER = "number"
    N_ENTRIES = "n_entries"
    REBUYS = "rebuys"
    KNOCKOUTS = "knockouts"
    SCORE = "score"
    POINTS = "points"
    BALANCE = "balance"
    COST = "cost"
    BUY_IN = "buy_in"
    CHIP_REBUYS = "chip_rebuys"
    ADD_ONS = "add_ons"
    FEE = "fee"
    BOUNTIES = "bounties"
    PRIZE = "prize"
    IN_AT = "registered_at"
    OUT_AT = "busted_at"
    EVENT = "event"
    NAME = "name"
    DATE = "date"
    START = "starts_at"
    END = "ends_at"
    CLOSES = "closes_at"
    SEASON = "season"
    GAME = "game"
    ROUND = "round"
    TABLE = "table"
    SEAT = "seat"
    CHIPS = "chips"
    PENALTY = "penalty"
    HOUSE = "house"
    TABLE_SIZE = "table_size"
    FINAL_TABLE_SIZE = "final_table_size"
    UNUSED = "unused"


LABELS = {
    Meaning.PLACE: _("Place"),
    Meaning.PLAYER: _("Player"),
    Meaning.SECOND_NAME: _("Second part of the name"),
    Meaning.NUMBER: _("Number of the entry"),
    Meaning.N_ENTRIES: _("Entries"),
    Meaning.REBUYS: _("Entries after the first"),
    Meaning.KNOCKOUTS: _("Knock-outs"),
    Meaning.SCORE: _("Score"),
    Meaning.POINTS: _("Points of the list"),
    Meaning.BALANCE: _("Balance"),
    Meaning.COST: _("Cost"),
    Meaning.BUY_IN: _("Buy-in alone"),
    Meaning.CHIP_REBUYS: _("Rebuys without an entry of their own"),
    Meaning.ADD_ONS: _("Add-ons"),
    Meaning.FEE: _("Fee"),
    Meaning.BOUNTIES: _("Bounties won"),
    Meaning.PRIZE: _("Prize"),
    Meaning.IN_AT: _("In at"),
    Meaning.OUT_AT: _("Out at"),
    Meaning.EVENT: _("Event"),
    Meaning.NAME: _("Name of the event"),
    Meaning.DATE: _("Date"),
    Meaning.START: _("Start"),
    Meaning.END: _("End"),
    Meaning.CLOSES: _("Registration until"),
    Meaning.SEASON: _("Season"),
    Meaning.GAME: _("Game"),
    Meaning.ROUND: _("Round"),
    Meaning.TABLE: _("Table number"),
    Meaning.SEAT: _("Seat"),
    Meaning.CHIPS: _("Chips"),
    Meaning.PENALTY: _("Penalty"),
    Meaning.HOUSE: _("Kept by the house"),
    Meaning.TABLE_SIZE: _("Seats at a table"),
    Meaning.FINAL_TABLE_SIZE: _("Seats at the final table"),
    Meaning.UNUSED: _("Not used"),
}
# Headings as they are written in English, Japanese and German lists, without case, dots and blanks.
HEADINGS: dict[Meaning, str] = {
    Meaning.PLACE: (
        "place pl pos position rank rk finish finished finishingplace placing standing # no 順位 着順 順 位 "
        "着 結果 platz rang rg pl. place."
    ),
    Meaning.PLAYER: (
        "player players name names nickname nick who member person playername playername fullname プレイヤー "
        "プレーヤー 選手 選手名 名前 氏名 参加者 お名前 プレイヤー名 ニックネーム 会員 会員名 spieler "
        "spielername wer teilnehmer driver racer"
    ),
    Meaning.NUMBER: "number entrynumber entryno entry# nr",
    Meaning.N_ENTRIES: ("entries  entrycount nentries bullets エントリー数 エントリー回数 参加回数"),
    Meaning.REBUYS: "rebuys rebuy rebuyins reentries re-entries reentry re-entry リエントリー リエントリー数 リバイ",
    Meaning.KNOCKOUTS: (
        "ko kos k.o. knockout knockouts knock-outs knock-out eliminations bounties bounty hits ノックアウト "
        "撃破 飛ばし"
    ),
    Meaning.SCORE: "score scores rawscore 点 素点 得点 スコア 点数 持ち点 punktestand 最終持ち点 持点",
    Meaning.POINTS: "points pts point pt ポイント 獲得ポイント 勝ち点 punkte pkt",
    Meaning.BALANCE: "balance result net profit +/- 収支 成績 トータル ±",
    Meaning.COST: (
        "cost buyin buyins buy-in buy-ins stake invested spent einsatz 支払い 支払額 参加費 費用 コスト"
    ),
    Meaning.ADD_ONS: "addons add-ons addon add-on アドオン アドオン数",
    Meaning.FEE: "fee fees rake entryfee gebühr 手数料",
    Meaning.PRIZE: (
        "prize prizes prizemoney winnings payout payouts paidout cash cashed preis preisgeld 賞金 獲得賞金 "
        "プライズ"
    ),
    Meaning.IN_AT: (
        "in inat registered registeredat registration arrived arrival 参加時刻 登録 入場 受付時刻"
    ),
    Meaning.OUT_AT: (
        "out outat busted bustedat bust busttime bustedout time eliminatedat 敗退時刻 アウト 脱落 "
        "終了時刻(個人)"
    ),
    Meaning.EVENT: (
        "event evening abend tournament race game# gameno night week 大会 大会番号 回 開催 節 turnier spiel "
        "session"
    ),
    Meaning.NAME: "eventname title tournamentname nameoftheevent 大会名 イベント名 イベント",
    Meaning.DATE: "date day when wann datum tag 日付 日 開催日 月日 日時",
    Meaning.START: "start starts startsat starttime begin beginn 開始 開始時刻",
    Meaning.END: "end ends endsat endtime ende 終了 終了時刻",
    Meaning.CLOSES: "closes closesat registrationuntil registrationcloses 締切",
    Meaning.SEASON: "season saison シーズン 年度 期",
    Meaning.GAME: "game 種目 ゲーム",
    Meaning.ROUND: "round hanchan runde 回戦 半荘 ラウンド",
    Meaning.TABLE: "table tableno tisch 卓 卓番 テーブル",
    Meaning.SEAT: "seat wind platznr 席 家 風 座席",
    Meaning.CHIPS: "chips chip チップ 祝儀",
    Meaning.PENALTY: "penalty chombo ペナルティ チョンボ 罰符 strafe",
    Meaning.HOUSE: "house 場代",
    Meaning.UNUSED: (
        "remark remarks note notes comment comments bemerkung bemerkungen bem 備考 メモ コメント "
        "team teams mannschaft club verein チーム 所属"
    ),
    Meaning.TABLE_SIZE: "tablesize seatsatatable",
    Meaning.FINAL_TABLE_SIZE: "finaltablesize seatsatthefinaltable",
}


def heading_key(heading: str) -> str:
    """Fold a heading for comparison: width, case, blanks, underscores and dots make no difference."""
    folded = unicodedata.normalize("NFKC", heading).casefold()
    return "".join(char for char in folded if char not in " \t_.:-–'’\n" or folded in {"+/-", "-"})


def is_of_bounties(heading: str) -> bool:
    """Tell whether a heading names bounties, which can mean how many there were or what was won with them."""
    return heading_key(heading).startswith("bount")


PARTS_OF_NAMES = {
    "firstname", "givenname", "forename", "vorname", "lastname", "surname", "familyname", "nachname", "familienname",
    "姓", "名", "名字", "苗字",
}  # fmt: skip
WHOLE_NAMES = {"name", "名前", "氏名"}  # which may stand beside a single part: Name, Vorname
WEAK_HEADINGS = {"#", "no"}


def parts_of_names(columns: Sequence[tuple[str, Meaning]]) -> dict[int, Meaning]:
    """Find the columns of two that hold a name together, given the heading and the meaning of each."""
    parts = [i for i, (heading, _meaning) in enumerate(columns) if heading_key(heading) in PARTS_OF_NAMES]
    whole = [i for i, (_heading, meaning) in enumerate(columns) if meaning == Meaning.PLAYER]
    if parts and not whole:
        return dict(zip(parts, (Meaning.PLAYER, Meaning.SECOND_NAME), strict=False))
    if len(parts) == 1 and whole and heading_key(columns[whole[0]][0]) in WHOLE_NAMES:
        return {parts[0]: Meaning.SECOND_NAME}
    return {}


BY_HEADING = {meaning.value.replace("_", ""): meaning for meaning in Meaning if meaning != Meaning.UNUSED} | {
    heading_key(heading): meaning for meaning, headings in HEADINGS.items() for heading in headings.split()
}


def meaning_of_heading(heading: str) -> Meaning | None:
    """Find the meaning that a heading names, in one language or in several; words in brackets do not matter."""
    parts = (heading, heading.partition("(")[0].partition("（")[0], *heading.split("/"))
    return next((meaning for part in parts if (meaning := BY_HEADING.get(heading_key(part)))), None)
