/// What the stand-in does with one request.
public struct ScriptedAnswer: Sendable {
    var answer: StandInAnswer?

    /// Takes the push.
    public static let accepted = ScriptedAnswer(answer: StandInAnswer(status: 200))
    /// Takes the push, and then closes the connection, with close_notify and without GOAWAY.
    public static let acceptedAndClosed = ScriptedAnswer(answer: StandInAnswer(status: 200, ending: .close))
    /// Never answers.
    public static let silence = ScriptedAnswer(answer: nil)
    /// Ends the connection, with all that is under way on it, without a word in TLS or HTTP/2.
    public static let cut = ScriptedAnswer(answer: .cut)

    /// Takes the push after a while.
    public static func accepted(after delay: Duration) -> ScriptedAnswer {
        var accepted = accepted
        accepted.answer?.delay = delay
        return accepted
    }

    /// Turns the push down as APNs does.
    ///
    /// - Parameters:
    ///   - status: the HTTP status.
    ///   - reason: APNs' word.
    ///   - retryAfter: the header field of that name.
    ///   - timestamp: since when the token has been invalid, in milliseconds since the Unix epoch.
    /// - Returns: the answer.
    public static func refused(
        _ status: Int,
        _ reason: String,
        retryAfter: String? = nil,
        timestamp: Int64? = nil
    ) -> ScriptedAnswer {
        let body = "{\"reason\":\"\(reason)\"" + (timestamp.map { ",\"timestamp\":\($0)" } ?? "") + "}"
        return answer(status, headers: retryAfter.map { [("retry-after", $0)] } ?? [], body: body)
    }

    /// Answers anything.
    public static func answer(
        _ status: Int,
        headers: [(name: String, value: String)] = [],
        body: String
    ) -> ScriptedAnswer {
        ScriptedAnswer(answer: StandInAnswer(status: status, headers: headers, body: body))
    }
}
