/// All metrics. To add one, declare it here and in ``all``, and count the events where they happen.
///
/// Labels have few values, which come from the program or the settings: routes, error codes, scripts, regions,
/// gateways, projects. Never use a phone number, an id, a client's address, or a text from a request.
extension MetricFamily {
    /// All metrics, in the order in which they are printed.
    static let all: [MetricFamily] = [
        build, processes, processStarts, requests, requestDuration,
        redisUp, redisMemoryUsed, redisMemoryLimit, redisDuration, redisRoundTrips, redisErrors, redisConnections,
        redisSecondTries,
        redisRedirections, redisMasterSwitches,
        rateLimitsExceeded, codesVerified, smsBreakerDecisions,
        passwordHashes, passwordHashDuration, passwordHashesInProgress,
        hookCalls, hookDuration, hooksInProgress,
        outboxItems, outboxAge, messages, mails, messagesRouted, messagesAccepted, messageCost,
        gatewayCalls, gatewayFailures, gatewayCallDuration, gatewayBreakers, pushes,
        signingKeyAge, numberingDataTime, unusableFiles, droppedSeries, refusedFiles,
    ]

    /// All metrics by name.
    static let known = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    // MARK: Processes

    static let build = gauge("dialtone_build", "Versions of the running processes.", labels: ["version"])
    static let processes = gauge("dialtone_processes", "Running processes.", labels: ["role"])
    /// Started processes.
    public static let processStarts = counter(
        "dialtone_process_starts",
        "Process starts; frequent starts mean that processes keep exiting.",
        labels: ["role"]
    )

    // MARK: Requests

    /// Completed requests.
    public static let requests = counter(
        "dialtone_requests",
        "Requests served, by route, HTTP status class, and error code or ok.",
        labels: ["route", "status", "result"],
        atMost: 1000
    )
    /// The duration of requests.
    public static let requestDuration = histogram(
        "dialtone_request_duration_seconds",
        "Time from the end of a request to its response.",
        labels: ["route"],
        bounds: [1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000],
        atMost: 128
    )

    // MARK: Redis

    /// Whether Redis responds.
    public static let redisUp = gauge(
        "dialtone_redis_up",
        "Whether Redis, or a node of the cluster, responds to the process that serves the scrape: 1 or 0."
    )
    /// Used memory.
    public static let redisMemoryUsed = gauge(
        "dialtone_redis_memory_used_bytes",
        "Memory that Redis uses; in a cluster, on the node that is closest to its limit. Absent without INFO.",
        unit: "bytes"
    )
    /// The limit of memory.
    public static let redisMemoryLimit = gauge(
        "dialtone_redis_memory_limit_bytes",
        "Redis's maxmemory, or the memory of its machine.",
        unit: "bytes"
    )
    /// The duration of operations.
    public static let redisDuration = histogram(
        "dialtone_redis_operation_duration_seconds",
        "Duration of a Redis script or command, including reconnects and second tries.",
        labels: ["operation", "node"],
        bounds: [
            100, 250, 500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000,
        ],
        atMost: 1000
    )
    /// Round trips.
    public static let redisRoundTrips = counter(
        "dialtone_redis_round_trips",
        "Round trips to Redis, each with any number of commands.",
        labels: ["node"],
        atMost: 32
    )
    /// Failed operations.
    public static let redisErrors = counter(
        "dialtone_redis_errors",
        "Failed Redis operations, by reason.",
        labels: ["error", "node"],
        atMost: 256
    )
    /// Connections.
    public static let redisConnections = counter(
        "dialtone_redis_connections",
        "Connections opened to Redis.",
        labels: ["node"],
        atMost: 32
    )
    /// Second tries.
    public static let redisSecondTries = counter(
        "dialtone_redis_second_tries",
        "Redis operations that were sent again because the reply was lost.",
        labels: ["node"],
        atMost: 32
    )

    /// Redirections.
    public static let redisRedirections = counter(
        "dialtone_redis_redirections",
        "Commands that a Redis Cluster node did not execute, by reason: moved, ask, try-again or read-only.",
        labels: ["reason"]
    )
    /// Switches to another master.
    public static let redisMasterSwitches = counter(
        "dialtone_redis_master_switches",
        "Failovers to another master, as reported by Sentinels or cluster nodes; each process counts them."
    )

    // MARK: Rate limits and codes

    /// Exceeded rate limits.
    public static let rateLimitsExceeded = counter(
        "dialtone_rate_limits_exceeded",
        "Operations that exceeded a rate limit, by counted event and scope.",
        labels: ["event", "scope"]
    )
    /// Correct codes.
    public static let codesVerified = counter(
        "dialtone_codes_verified",
        "Correct verification codes, by the number's region and the gateway that sent the last message.",
        labels: ["region", "gateway"],
        atMost: 1000
    )
    /// Decisions of the breaker against SMS pumping.
    public static let smsBreakerDecisions = counter(
        "dialtone_sms_breaker_decisions",
        "Sends stopped by the SMS pumping breaker, by reason: spending, unknown number, or the kind of number range.",
        labels: ["reason", "region"],
        atMost: 600
    )

    // MARK: Passwords

    /// Password hashes.
    public static let passwordHashes = counter(
        "dialtone_password_hashes",
        "Passwords hashed or verified, by result: done, busy, late or out-of-memory.",
        labels: ["result"]
    )
    /// The duration of password hashes.
    public static let passwordHashDuration = histogram(
        "dialtone_password_hash_duration_seconds",
        "Duration of a password hash, including the wait for a thread.",
        bounds: [10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000]
    )
    /// Waiting and running hashes.
    public static let passwordHashesInProgress = gauge(
        "dialtone_password_hashes_in_progress",
        "Password hashes that are waiting or running."
    )

    // MARK: Blocking hooks

    /// Calls to hooks.
    public static let hookCalls = counter(
        "dialtone_blocking_hook_calls",
        "Calls to blocking hooks, by result; no-slot counts requests that were refused before a call.",
        labels: ["project", "result"],
        atMost: 600
    )
    /// The duration of hook calls.
    public static let hookDuration = histogram(
        "dialtone_blocking_hook_duration_seconds",
        "Duration of a call to a blocking hook.",
        labels: ["project"],
        bounds: [10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 7_000_000],
        atMost: 128
    )
    /// Requests with a hook slot.
    public static let hooksInProgress = gauge(
        "dialtone_blocking_hook_slots_in_use",
        "Requests that are waiting for a blocking hook, or are about to."
    )

    // MARK: Messages and pushes

    /// Waiting items.
    public static let outboxItems = gauge(
        "dialtone_outbox_items",
        "Items in an outbox that are waiting or being sent.",
        labels: ["outbox"]
    )
    /// The age of the oldest item.
    public static let outboxAge = gauge(
        "dialtone_outbox_oldest_age_seconds",
        "Age of the oldest item in an outbox; 0 if it is empty.",
        unit: "seconds",
        labels: ["outbox"]
    )
    /// Outcomes of messages.
    public static let messages = counter(
        "dialtone_messages",
        "Outcomes of text messages: accepted, passed-on, delivered, undelivered, unconfirmed, ended or dead.",
        labels: ["project", "event", "gateway"],
        atMost: 1000
    )
    /// Outcomes of mails.
    public static let mails = counter(
        "dialtone_mails",
        "Outcomes of mails: accepted, passed-on, ended (late), unaddressed or dead.",
        labels: ["project", "event", "gateway"],
        atMost: 1000
    )
    /// Queued messages by the choice of their first gateway.
    public static let messagesRouted = counter(
        "dialtone_messages_routed",
        "Text messages and calls that were queued, by the channel of the first gateway and why the gateway is first.",
        labels: ["channel", "reason"]
    )
    /// Accepted messages.
    public static let messagesAccepted = counter(
        "dialtone_messages_accepted",
        "Text messages that a gateway accepted, by the number's region.",
        labels: ["region", "gateway"],
        atMost: 1000
    )
    /// The price of accepted messages.
    public static let messageCost = money(
        "dialtone_message_cost",
        "Price of accepted messages, in the currency of the configured prices.",
        labels: ["region", "gateway"],
        atMost: 1000
    )
    /// Calls to gateways.
    public static let gatewayCalls = counter(
        "dialtone_gateway_calls",
        "Calls to SMS gateways, by outcome: accepted, refused, retry, uncertain or misconfigured.",
        labels: ["gateway", "outcome"],
        atMost: 256
    )
    /// Calls that did not lead to an accepted message.
    public static let gatewayFailures = counter(
        "dialtone_gateway_failures",
        "Calls to SMS gateways that failed, by reason, such as credentials refused, unreachable or number invalid.",
        labels: ["gateway", "reason"],
        atMost: 512
    )
    /// The duration of gateway calls.
    public static let gatewayCallDuration = histogram(
        "dialtone_gateway_call_duration_seconds",
        "Duration of a call to an SMS gateway.",
        labels: ["gateway"],
        bounds: [25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000]
    )
    /// States of circuit breakers.
    public static let gatewayBreakers = gauge(
        "dialtone_gateway_breakers",
        "Dispatchers by the state of their circuit breaker for a gateway: closed, open or half-open.",
        labels: ["gateway", "state"],
        atMost: 192
    )
    /// Outcomes of pushes.
    public static let pushes = counter(
        "dialtone_pushes",
        "Outcomes of silent pushes: delivered, unregistered, bad-token, refused, retry, late or no-credential.",
        labels: ["project", "outcome"],
        atMost: 600
    )

    // MARK: Keys, numbering data and metrics

    /// The age of the signing key.
    public static let signingKeyAge = gauge(
        "dialtone_signing_key_age_seconds",
        "Time since the current signing key began to sign; absent if the key file lacks this time.",
        unit: "seconds"
    )
    /// The date of the numbering data.
    public static let numberingDataTime = gauge(
        "dialtone_numbering_data_timestamp_seconds",
        "The date of the numbering data, as Unix time.",
        unit: "seconds"
    )
    /// Files that a process cannot use.
    public static let unusableFiles = gauge(
        "dialtone_unusable_files",
        "Processes that cannot use a changed file, by its name, and keep its former content.",
        labels: ["file"]
    )
    static let droppedSeries = counter(
        "dialtone_metrics_dropped_series",
        "Events that were not counted because there was no room for their series."
    )
    static let refusedFiles = counter(
        "dialtone_metrics_refused_files",
        "Damaged metrics files of processes, whose values are not counted."
    )
}
