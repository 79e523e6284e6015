/// What the record of a send's decision contains about the request.
///
/// The worker packs it because every send writes it: the script only prepends its outcome.
struct DecidedRequest {
    let reference: DecisionReference
    let purpose: String
    let project: String
    let maskedNumber: String
    let region: String
    let proof: String
    /// Milliseconds since the Unix epoch.
    let at: Int64
    /// The rate limits of the number, whose counts the script knows.
    let limitsOfNumber: [RateLimit]
    /// The other limits with their counts, this message included.
    let otherLimits: String
    /// The toll fraud decisions about a new client and about a known client.
    let breaker: String
    let knownBreaker: String

    /// The lines of ``text``, by their names.
    static let lineNames = [
        "reference", "operation", "project", "number", "region", "proof", "at", "limits-of-number", "other-limits",
        "breaker-new", "breaker-known",
    ]
    /// The lines that `send-verification-code.lua` prepends: its outcome; the entry of the queued message in its
    /// stream, or nothing; whether the client is known (0 | 1); the counts of the number's limits.
    static let scriptLineNames = ["outcome", "entry", "is-known", "counts"]

    /// One line for each of ``lineNames``.
    var text: String {
        let limits = limitsOfNumber.map { CountedLimit.text($0.scope.name, sends: "", $0.window) }
        return [
            reference.digits, operation, project, maskedNumber, region, proof, String(at),
            limits.joined(separator: ";"), otherLimits, breaker, knownBreaker,
        ]
        .joined(separator: "\n")
    }

    /// The wire operation that requests sessions of this purpose.
    private var operation: String {
        switch purpose {
        case "second-factor-enrollment": "mfaEnrollment.start"
        case "second-factor-sign-in": "mfaSignIn.start"
        default: "sendVerificationCode"
        }
    }
}

/// The fields of a decision's record.
struct DecisionFields {
    private let fields: PackedFields

    init(_ fields: HashFields) {
        self.fields = PackedFields(
            fields,
            packed: ["decision": DecidedRequest.scriptLineNames + DecidedRequest.lineNames]
        )
    }

    /// Returns a value by its name; nil if it is missing or empty.
    func text(_ name: String) -> String? { fields.nonEmptyText(name) }

    /// The limits that counted the queued message.
    var limits: [CountedLimit] {
        guard text("entry") != nil else { return [] }
        let counts = (text("counts") ?? "").split(separator: " ")
        let ofNumber = (text("limits-of-number") ?? "").split(separator: ";")
        return zip(ofNumber, counts).compactMap { CountedLimit($0, sends: $1) }
            + (text("other-limits") ?? "").split(separator: ";").compactMap { CountedLimit($0) }
    }

    /// The words of the toll fraud decision about the queued message.
    var breaker: String? {
        guard text("entry") != nil else { return nil }
        return text(text("is-known") == "1" ? "breaker-known" : "breaker-new")
    }

    /// Returns the id of the queued message, if the decision is recorded in the shard of its number.
    func message(in shard: Shard, among shards: ShardCount) -> QueuedMessageID? {
        text("entry").flatMap { QueuedMessageID("\(shard.index)-\($0)", among: shards) }
    }
}
