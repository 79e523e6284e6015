internal import Encodings
public import PhoneNumbers
public import RedisScripts

/// The decision on a request, and its outcome.
public struct Explanation: Sendable {
    /// The decision.
    public let decision: DecisionRecord
    /// The messages or e-mails that the decision led to: the first, and each retry after the previous one was not
    /// delivered.
    public let messages: [MessageRecord]
    /// How the last message waits for its next attempt; nil if it does not wait.
    public let waiting: WaitingMessage?

    /// Returns the reference by which the explanation of a request is found.
    public static func reference(ofRequest requestID: String) -> String { DecisionReference(requestID: requestID).text }
}

extension Authenticator {
    /// Records why a request was rejected. Best effort: the record is lost if Redis does not respond.
    ///
    /// - Parameters:
    ///   - requestID: the front end's id of the request.
    ///   - operation: the requested operation.
    ///   - project: the project id, if the request named a project.
    ///   - phone: the number, if there was one. It is masked.
    ///   - error: the error that the client received.
    ///   - detail: the details that the operator's log contains in addition.
    public func recordRefusal(
        of requestID: String,
        _ operation: String,
        project: String?,
        phone: E164?,
        error: String,
        detail: String?
    ) {
        let decision = DecisionRecord(
            at: environment.now().milliseconds,
            operation: operation,
            project: project,
            maskedNumber: phone?.description,
            region: phone.map(phoneNumbers.regionInWords),
            outcome: error,
            detail: detail
        )
        let about = phone.flatMap { phone in
            project.map { PhoneIdentity(phone.text, in: $0, under: keys.indexKey) }
        }
        store.record(decision, as: DecisionReference(requestID: requestID), about: about)
    }

    /// Returns the explanation recorded under a reference; nil if there is none, or if the record has expired.
    /// - Throws: ``StoreUnavailable``.
    public func explain(_ reference: DecisionReference) throws(StoreUnavailable) -> Explanation? {
        guard let decision = try store.decision(reference, now: environment.now().milliseconds) else { return nil }
        let outbox = decision.outbox
        var messages: [MessageRecord] = []
        var next = decision.mail ?? decision.message
        var last: QueuedMessageID?
        // A message is sent to each gateway of its route once, so the chain is finite.
        while let id = next, messages.count < 100, let message = try store.message(id, in: outbox) {
            messages.append(message)
            last = id
            next = message.next
        }
        var waiting: WaitingMessage?
        if let last, messages.last?.state == nil {
            waiting = try store.waitingMessages(in: outbox, of: last.project)[last]
        }
        return Explanation(decision: decision, messages: messages, waiting: waiting)
    }
}

extension OperationContext {
    /// Returns the requests about a number that queued a message or were refused in the last 24 hours, the latest
    /// first.
    /// - Throws: ``NumberRefusal``.
    public func requests(about number: String) throws(NumberRefusal) -> [NumberRequest] {
        let phone = try readNumber(number)
        var requests = try NumberRefusal.wrapping(store.sends(to: identity(of: phone.text)))
        // Refusals that are older than a move of the index key name the number by its former hash.
        for key in keys.indexKeys {
            let phone = PhoneIdentity(phone.text, in: project.id, under: key)
            requests += try NumberRefusal.wrapping(store.refusals(of: phone))
        }
        let oldest = now.milliseconds - Store.decisionMilliseconds
        return requests.filter { $0.at.milliseconds > oldest }.sorted { $0.at > $1.at }
    }
}
