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

    /// Parses a table. Throws the first row that is faulty.
    init(_ text: String) throws(FaultyRow) {
        var meanings: [String: Meaning] = [:]
        for row in text.split(separator: ";") where !row.trimmed.isEmpty {
            let parts = row.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, let meaning = Meaning(String(parts[0].trimmed)) else { throw FaultyRow(text: row) }
            for code in parts[1].split(separator: ",") { meanings[String(code.trimmed)] = meaning }
        }
        self.meanings = meanings
    }

    struct FaultyRow: Error {
        let text: Substring
    }

    /// Whether a response without a code is malformed.
    var requiresCode: Bool { meanings.values.contains(.accepted) }

    /// Maps a response to an outcome.
    ///
    /// - Parameters:
    ///   - answer: the response.
    ///   - found: the codes in the response. The first one that the table contains counts.
    /// - Returns: the outcome; nil if the response accepts the message.
    func outcome(_ answer: GatewayAnswer, _ found: [String]) -> GatewayOutcome? {
        let known = found.first { meanings[$0] != nil }
        let code = known.flatMap { GatewayCode(word: $0) } ?? found.first.flatMap { GatewayCode(word: $0) }
        switch known.flatMap({ meanings[$0] }) {
        case .refused(let kind)?: return .refused(GatewayRefusal(kind, code))
        case .retry(let kind)?: return .retry(after: answer.retryAfter, GatewayTrouble(kind, code))
        case .misconfigured(let kind)?: return .misconfigured(GatewayMisconfiguration(kind, code))
        case .accepted?: return answer.isSuccess ? nil : GatewayOutcome(failed: answer)
        case nil: break
        }
        switch answer.status {
        case 200..<300 where !found.isEmpty: return .refused(GatewayRefusal(.other, code))
        case 200..<300 where requiresCode:
            return .uncertain(GatewayTrouble(.malformedAnswer, GatewayCode(answer.status)))
        case 200..<300: return nil
        case 402: return .misconfigured(GatewayMisconfiguration(.noCredit, code ?? GatewayCode(402)))
        case 404: return .misconfigured(GatewayMisconfiguration(.addressUnknown, code ?? GatewayCode(404)))
        default: return GatewayOutcome(failed: answer, code)
        }
    }
}
