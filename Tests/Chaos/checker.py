"""Checks a history: counts events that must never happen, from the requests and responses of clients alone.

A request without a response, or with a server error, may or may not have been executed. So a code was accepted twice
only if two responses say so, and an account was lost only if a response had named it.
"""

import collections
import json
import math
import statistics
import sys

import slots

MAXIMUM_ATTEMPTS = 5
NEVER = float("-inf")
WRONG = ("INVALID_CODE",)


def read(path):
    with open(path) as lines:
        return [json.loads(line) for line in lines]


def check(history):
    """Returns the counts by name."""
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
        "acknowledged messages that never came": lost_messages(
            by_kind["send"], by_kind["message"], by_kind["lock"]
        ),
        "messages sent again with the same id": sent_again(by_kind["message"]),
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
        result["seconds from promotion to sign-in, p99"] = round(sorted(times)[math.ceil(0.99 * len(times)) - 1], 2)
        result["seconds from promotion to sign-in, longest"] = round(max(times), 2)
    return result


# These counts are 0 if a replica has each change before it is acknowledged. Otherwise Redis's asynchronous replication
# may lose acknowledged changes: the losses are measured, and do not make the run fail.
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
    """The codes that two responses accepted. Repetitions by nginx do not count: a request has one response."""
    count = collections.Counter(event["session"] for event in accepted)
    return sum(times - 1 for times in count.values())


def guessed_too_often(answers):
    """The sessions in which more codes were verified than a session allows attempts."""
    verified = collections.Counter(
        event["session"] for event in answers
        if event["outcome"] == "ok" or event["outcome"] == "refused" and event["error"].startswith(WRONG)
    )
    return sum(times > MAXIMUM_ATTEMPTS for times in verified.values())


def second_messages(messages, sends, answers, locks):
    """The messages to a number within the lock of the previous one, unless its session may have ended in between.

    The lock begins with the send, and the message may arrive long after it. The send of a message is the first one
    since the previous message.
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


def lost_messages(sends, messages, locks):
    """The acknowledged sends after which no message to the number arrived."""
    arrived, unknown = collections.defaultdict(list), collections.defaultdict(list)
    for event in messages:
        arrived[event["number"]].append(event["at"])
    # A send that found an open session has the session's earlier message.
    first = {}
    for event in sends:
        if event["outcome"] == "unknown":
            unknown[event["number"]].append(event)
        elif event["outcome"] == "ok" and (
            event["session"] not in first or event["start"] < first[event["session"]]["start"]
        ):
            first[event["session"]] = event
    lock = locks[0]["seconds"] if locks else 0

    def earliest(send):
        """When the send that opened the session may have begun: an unknown one, if its lock may have held."""
        earlier = [event["start"] for event in unknown[send["number"]] if event["end"] + lock >= send["start"]]
        return min([send["start"], *earlier])

    return sum(not any(at >= earliest(event) for at in arrived[event["number"]]) for event in first.values())


def sent_again(messages):
    """The messages that the dispatcher posted again, because a failover lost the record that the gateway accepted
    them."""
    return len(messages) - len({event["id"] for event in messages})


def recovery_times(promotions, accepted):
    """For each promotion, the time until the next sign-in to an account in the promoted master's slots was accepted.

    The sign-in also needs the master of its number's keys. Its slot depends on a secret, so clients do not know it.
    """
    times = []
    for promotion in promotions:
        later = [event["end"] - promotion["at"] for event in accepted
                 if event["end"] >= promotion["at"] and slots.contain(promotion["slots"], event["slot"])]
        if later:
            times.append(min(later))
    return times


def main():
    result = check(read(sys.argv[1]))
    print("\n".join(f"{value:>8}  {name}" for name, value in result.items()))


if __name__ == "__main__":
    main()
