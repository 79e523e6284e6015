/// The mock's reaction to one request.
public struct ScriptedAnswer: Sendable {
    var answer: StandInAnswer?

    /// Accepts the push.
    public static let accepted = ScriptedAnswer(answer: StandInAnswer(status: 200))
    /// Accepts the push, then closes the connection with close_notify and without GOAWAY.
    public static let acceptedAndClosed = ScriptedAnswer(answer: StandInAnswer(status: 200, ending: .close))
    /// Never responds.
    public static let silence = ScriptedAnswer(answer: nil)
    /// Closes the connection with all its requests, without a TLS or HTTP/2 shutdown.
    public static let cut = ScriptedAnswer(answer: .cut)

    /// Accepts the push after a delay.
    public static func accepted(after delay: Duration) -> ScriptedAnswer {
        var accepted = accepted
        accepted.answer?.delay = delay
        return accepted
    }

    /// Rejects the push as APNs does.
    ///
    /// - Parameters:
    ///   - status: the HTTP status.
    ///   - reason: APNs' reason.
    ///   - retryAfter: the header field of that name.
    ///   - timestamp: the time since which the token has been invalid, in milliseconds since the Unix epoch.
    /// - Returns: the reaction.
    public static func refused(
        _ status: Int,
        _ reason: String,
        retryAfter: String? = nil,
        timestamp: Int64? = nil
    ) -> ScriptedAnswer {
        let body = "{\"reason\":\"\(reason)\"" + (timestamp.map { ",\"timestamp\":\($0)" } ?? "") + "}"
        return answer(status, headers: retryAfter.map { [("retry-after", $0)] } ?? [], body: body)
    }

    /// Responds with any status and body.
    public static func answer(
        _ status: Int,
        headers: [(name: String, value: String)] = [],
        body: String
    ) -> ScriptedAnswer {
        ScriptedAnswer(answer: StandInAnswer(status: status, headers: headers, body: body))
    }
}
