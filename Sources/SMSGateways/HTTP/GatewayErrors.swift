internal import Encodings

/// What the codes in a gateway's responses mean: `accepted=0; number invalid=21211,21614; throttled=20429`.
///
/// The meanings are the words by which logs and metrics show outcomes.
struct GatewayErrors: Sendable {
    enum Meaning: Equatable {
        case accepted
        case refused(RefusalKind)
        case retry(TroubleKind)
        case misconfigured(MisconfigurationKind)

        init?(_ word: String) {
            if word == "accepted" {
                self = .accepted
            } else if let kind = RefusalKind(rawValue: word) {
                self = .refused(kind)
            } else if let kind = MisconfigurationKind(rawValue: word) {
                self = .misconfigured(kind)
            } else if let kind = TroubleKind(rawValue: word), kind == .throttled || kind == .serverError {
                self = .retry(kind)
            } else {
                return nil
            }
        }

        static var words: [String] {
            ["accepted", TroubleKind.throttled.rawValue, TroubleKind.serverError.rawValue]
                + RefusalKind.allCases.map(\.rawValue) + MisconfigurationKind.allCases.map(\.rawValue)
        }
    }

    private let meanings: [String: Meaning]

    /// Parses a table.
    init(_ text: String) throws(GatewayTemplateError) {
        var meanings: [String: Meaning] = [:]
        for row in text.split(separator: ";") where !row.trimmed.isEmpty {
            let parts = row.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, let meaning = Meaning(String(parts[0].trimmed)) else {
                let words = Meaning.words.joined(separator: ", ")
                throw GatewayTemplateError(.errors, "\"\(row.trimmed)\" is not one of \(words), =, and codes")
            }
            for code in String(parts[1]).listed { meanings[code] = meaning }
        }
        self.meanings = meanings
    }

    /// Whether a response without a code is malformed.
    var requiresCode: Bool { meanings.values.contains(.accepted) }

    /// Maps a response to an outcome.
    ///
    /// - Parameters:
    ///   - answer: the response.
    ///   - found: the codes in the response, by path. The first path counts at which the table contains a code. If some
    ///     of its codes are absent or do not accept what others do, an incomplete message may have been sent.
    /// - Returns: the outcome; nil if the response accepts the message.
    func outcome(_ answer: GatewayAnswer, _ found: [[String]]) -> GatewayOutcome? {
        func isKnown(_ code: String) -> Bool { meanings[code] != nil }
        let codes =
            found.first { $0.contains(where: isKnown) } ?? found.first { $0.contains { !$0.isEmpty } } ?? []
        let first = codes.first(where: isKnown) ?? codes.first
        let code = first.flatMap { GatewayCode(word: $0) }
        let malformed = GatewayOutcome.uncertain(GatewayTrouble(.malformedAnswer, GatewayCode(answer.status)))
        if 300..<400 ~= answer.status { return GatewayOutcome(failed: answer) }
        if Set(codes.map { meanings[$0] == .accepted }).count == 2 || codes.count > 1 && codes.contains("") {
            return malformed
        }
        switch first.flatMap({ meanings[$0] }) {
        case .refused(let kind)?: return .refused(GatewayRefusal(kind, code))
        case .retry(let kind)?: return .retry(after: answer.retryAfter, GatewayTrouble(kind, code))
        case .misconfigured(let kind)?: return .misconfigured(GatewayMisconfiguration(kind, code))
        case .accepted?: return answer.isSuccess ? nil : GatewayOutcome(failed: answer)
        case nil: break
        }
        switch answer.status {
        case 200..<300 where !codes.isEmpty: return .refused(GatewayRefusal(.other, code))
        case 200..<300: return requiresCode ? malformed : nil
        case 402: return .misconfigured(GatewayMisconfiguration(.noCredit, code ?? GatewayCode(402)))
        case 404: return .misconfigured(GatewayMisconfiguration(.addressUnknown, code ?? GatewayCode(404)))
        default: return GatewayOutcome(failed: answer, code)
        }
    }
}
