"""Checks a history: counts what must never happen, from the requests and responses of clients alone.

An answer without a response, or with an error of the server, may have been executed or not. So a second acceptance of a
code counts only between two responses that say so, and an account is lost only if a client was told that it has it.
"""

import collections
import json
import statistics
import sys

MAXIMUM_ATTEMPTS = 5
NEVER = float("-inf")
WRONG = ("INVALID_CODE",)


def read(path):
    with open(path) as lines:
        return [json.loads(line) for line in lines]


def check(history):
    """What was counted: a dictionary of names and numbers."""
    by_kind = collections.defaultdict(list)
    for event in history:
        by_kind[event["kind"]].append(event)
    end_of_faults = next((event["at"] for event in by_kind["end of faults"]), float("inf"))
    answers = by_kind["answer"]
    accepted = [event for event in answers if event["outcome"] == "ok"]
    result = {
        "requests": sum(len(by_kind[kind]) for kind in ("send", "answer", "refresh")),
        "unknown": sum(event.get("outcome") == "unknown" for event in history),
        "faults": len(by_kind["fault"]),
        "sign-ins": len(accepted),
        "codes accepted twice": accepted_twice(accepted),
        "sessions with too many verified answers": guessed_too_often(answers),
        "second messages within the lock": second_messages(
            by_kind["message"], by_kind["send"], answers, by_kind["lock"]
        ),
        "acknowledged messages that never came": lost_messages(by_kind["send"], by_kind["message"]),
    }
    final = {event["number"]: event["uid"] for event in accepted if event["start"] > end_of_faults}
    told = collections.defaultdict(set)
    for event in accepted:
        if event["start"] <= end_of_faults:
            told[event["number"]].add(event["uid"])
    living = {event["uid"] for event in by_kind["refresh"] if event["outcome"] == "ok"}
    result["acknowledged accounts"] = sum(map(len, told.values()))
    result["unchecked numbers"] = len(told.keys() - final.keys())
    result["acknowledged accounts lost"] = sum(
        len(accounts - {final[number]}) for number, accounts in told.items() if number in final
    )
    result["numbers with two accounts"] = sum(len(accounts & living) > 1 for accounts in told.values())
    result["acknowledged sessions lost"] = sum(event["outcome"] == "refused" for event in by_kind["refresh"])
    times = recovery_times(by_kind["promotion"], accepted)
    if times:
        result["promotions"] = len(times)
        result["seconds from promotion to sign-in, p50"] = round(statistics.median(times), 2)
        result["seconds from promotion to sign-in, p99"] = round(sorted(times)[int(0.99 * (len(times) - 1))], 2)
        result["seconds from promotion to sign-in, longest"] = round(max(times), 2)
    return result


# If a replica has a change before it is acknowledged. Otherwise Redis's replication, which is asynchronous, may lose
# acknowledged changes: how many is measured, and no run fails because of it.
ZERO_IF_CONFIRMED = (
    "codes accepted twice",
    "sessions with too many verified answers",
    "second messages within the lock",
    "acknowledged messages that never came",
    "numbers with two accounts",
    "acknowledged accounts lost",
    "acknowledged sessions lost",
    "unchecked numbers",
)


def accepted_twice(accepted):
    """Sessions whose code two responses accepted. nginx repeats requests with their id, so it shows none of them."""
    count = collections.Counter(event["session"] for event in accepted)
    return sum(times - 1 for times in count.values())


def guessed_too_often(answers):
    """Sessions in which more answers were verified than a session allows, correct ones included."""
    verified = collections.Counter(
        event["session"] for event in answers
        if event["outcome"] == "refused" and event["error"].startswith(WRONG)
    )
    return sum(times > MAXIMUM_ATTEMPTS for times in verified.values())


def second_messages(messages, sends, answers, locks):
    """Messages to a number while the lock of the message before lives, unless its session may have ended meanwhile.

    A message may arrive long after its send, with which the lock begins: the first send since the message before it.
    """
    if not locks:
        return 0
    first_seen = {}
    for event in messages:
        first_seen.setdefault(event["id"], event)
    by_number = collections.defaultdict(list)
    for event in sorted(first_seen.values(), key=lambda event: event["at"]):
        by_number[event["number"]].append(event["at"])
    starts = collections.defaultdict(list)
    for event in sends:
        starts[event["number"]].append(event["start"])
    endings = collections.defaultdict(list)
    wrong = collections.Counter()
    for event in sorted(answers, key=lambda event: event["end"]):
        wrong[event["session"]] += event["outcome"] != "ok"
        if event["outcome"] != "refused" or wrong[event["session"]] >= MAXIMUM_ATTEMPTS:
            endings[event["number"]].append((event["start"], event["end"]))

    def lock_begin(number, before, message):
        return min((start for start in starts[number] if before < start <= message), default=message)

    return sum(
        later - lock_begin(number, before, earlier) < locks[0]["seconds"]
        and not any(start <= later and end >= earlier for start, end in endings[number])
        for number, times in by_number.items() for before, earlier, later in zip([NEVER, *times], times, times[1:])
    )


def lost_messages(sends, messages):
    """Sends that were acknowledged, after which no message to the number came."""
    arrived = collections.defaultdict(list)
    for event in messages:
        arrived[event["number"]].append(event["at"])
    # A send that found an open session got its session's earlier message.
    first = {}
    for event in sends:
        if event["outcome"] == "ok" and (
            event["session"] not in first or event["start"] < first[event["session"]]["start"]
        ):
            first[event["session"]] = event
    return sum(not any(at >= event["start"] for at in arrived[event["number"]]) for event in first.values())


def recovery_times(promotions, accepted):
    """For each promotion, how long until a sign-in was accepted that was asked for later."""
    ends = sorted(event["end"] for event in accepted)
    times = []
    for promotion in promotions:
        later = [end - promotion["at"] for end in ends if end >= promotion["at"]]
        if later:
            times.append(later[0])
    return times


def main():
    result = check(read(sys.argv[1]))
    print("\n".join(f"{value:>8}  {name}" for name, value in result.items()))


if __name__ == "__main__":
    main()
