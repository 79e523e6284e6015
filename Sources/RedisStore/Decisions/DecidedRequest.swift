/// What the record of a send's decision contains about the request: one field, because a send writes it each time.
struct DecidedRequest {
    let reference: DecisionReference
    let purpose: String
    let project: String
    let maskedNumber: String
    let region: String
    let proof: String

    /// The lines of ``text``, by the names of the fields that the version before had instead.
    static let lineNames = ["reference", "operation", "project", "number", "region", "proof"]

    /// One line for each of ``lineNames``.
    var text: String {
        [reference.digits, operation, project, maskedNumber, region, proof].joined(separator: "\n")
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
    private let fields: HashFields
    /// The lines of a ``DecidedRequest``; nil if the record has a field for each.
    private let lines: [Substring]?

    init(_ fields: HashFields) {
        self.fields = fields
        lines = fields.text("request")?.split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// Returns a value by its name; nil if it is missing or empty.
    func text(_ name: String) -> String? {
        let value =
            if let lines, let index = DecidedRequest.lineNames.firstIndex(of: name) {
                lines.indices.contains(index) ? String(lines[index]) : nil
            } else {
                fields.text(name)
            }
        return value.flatMap { $0.isEmpty ? nil : $0 }
    }
}
