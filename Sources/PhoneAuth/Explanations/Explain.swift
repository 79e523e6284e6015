public import RedisStore

/// What was decided about a request, and what came of it.
public struct Explanation: Sendable {
    /// The decision.
    public let decision: DecisionRecord
    /// The messages that it led to: the first, and each that followed because the one before it was not delivered.
    public let messages: [MessageRecord]
}

extension Authenticator {
    /// Remembers why a request was refused. It is lost where Redis does not answer.
    ///
    /// - Parameters:
    ///   - requestID: the front end's name for the request.
    ///   - operation: what was asked for.
    ///   - project: its id, where the request named one.
    ///   - maskedNumber: the number, where there was one.
    ///   - region: the number's.
    ///   - error: what the client was told.
    ///   - detail: what the operator's log adds.
    public func recordRefusal(
        of requestID: String,
        _ operation: String,
        project: String?,
        maskedNumber: String?,
        region: String?,
        error: String,
        detail: String?
    ) {
        let decision = DecisionRecord(
            at: environment.now().milliseconds,
            operation: operation,
            project: project,
            maskedNumber: maskedNumber,
            region: region,
            outcome: error,
            detail: detail
        )
        store.record(decision, as: DecisionReference(requestID: requestID))
    }

    /// What is known under a reference; nil where nothing is, any more.
    /// - Throws: ``StoreUnavailable``.
    public func explain(_ reference: DecisionReference) throws(StoreUnavailable) -> Explanation? {
        guard let decision = try store.decision(reference, now: environment.now().milliseconds) else { return nil }
        var messages: [MessageRecord] = []
        var next = decision.message
        // A message goes to each gateway of its route once.
        while let id = next, messages.count < 100, let message = try store.message(id) {
            messages.append(message)
            next = message.next
        }
        return Explanation(decision: decision, messages: messages)
    }
}
