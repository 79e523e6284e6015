internal import Encodings
internal import PhoneNumbers
internal import RedisScripts

/// What the record of a send's decision contains about the request.
///
/// The worker packs it because every send writes it: the script only prepends its outcome.
struct DecidedRequest {
    let reference: DecisionReference
    /// The wire operation.
    let operation: String
    let number: E164
    let region: String
    let proof: String
    let at: Instant
    /// The rate limits, whose counts the script knows: the logs of the number, the longest window last, and then the
    /// rates.
    let limits: [RateLimit]

    /// The lines of ``lines``, by their names.
    static let lineNames = ["reference", "operation", "number", "region", "proof", "at", "limits"]
    /// The lines that `send-verification-code.lua` prepends: its outcome; the entry of the queued message in its
    /// stream, or nothing; what it stored of the limits; the toll fraud decision.
    static let scriptLineNames = ["outcome", "entry", "counts", "breaker"]

    /// One line for each of ``lineNames``.
    var lines: [UInt8] {
        var lines: [UInt8] = []
        lines.reserveCapacity(384)
        lines.appendLine(reference.digits)
        lines.appendLine(operation)
        lines.appendLine(number.description)
        lines.appendLine(region)
        lines.appendLine(proof)
        lines.appendLine(at.milliseconds)
        for (index, limit) in limits.enumerated() {
            if index > 0 { lines.append(UInt8(ascii: ";")) }
            CountedLimit.append(limit, to: &lines)
        }
        return lines
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
        let at = text("at").flatMap { Int64($0) } ?? 0
        return zip((text("limits") ?? "").split(separator: ";"), (text("counts") ?? "").split(separator: " "))
            .compactMap { CountedLimit($0, stored: $1, at: at) }
    }

    /// The words of the toll fraud decision about the queued message.
    var breaker: String? { text("breaker") }

    /// Returns the id of the queued message of a project.
    func message(of project: String) -> QueuedMessageID? {
        text("entry").map { QueuedMessageID(project: project, entryID: $0) }
    }
}
