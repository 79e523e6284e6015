internal import Encodings
public import PhoneNumbers
public import RedisStore

/// Why the audit log was not read.
public enum AuditRefusal: Error {
    case numberInvalid(PhoneNumberError)
    case unavailable(StoreUnavailable)
}

/// The events of the audit log that were asked for, in the order of time: those that are there, and then those that come.
public struct AuditEvents {
    private var log: AuditLog
    private let filter: AuditFilter
    private let oldest: Int64
    private let phones: Set<PhoneIdentity>

    fileprivate init(_ log: AuditLog, _ filter: AuditFilter, oldest: Int64, phones: Set<PhoneIdentity>) {
        self.log = log
        self.filter = filter
        self.oldest = oldest
        self.phones = phones
    }

    /// The next event; nil where all that were there have been given out.
    /// - Throws: ``StoreUnavailable``.
    public mutating func next() throws(StoreUnavailable) -> AuditEvent? {
        while let event = try log.next() {
            if isAskedFor(event) { return event }
        }
        return nil
    }

    /// Waits for events that were not there yet, so long at most; ``next()`` gives them out. The wait must be shorter than the
    /// connection's time-out for commands.
    /// - Throws: ``StoreUnavailable``.
    public mutating func wait(atMost time: Duration) throws(StoreUnavailable) {
        try log.wait(milliseconds: max(1, time.milliseconds))
    }

    private func isAskedFor(_ event: AuditEvent) -> Bool {
        event.at >= oldest
            && filter.project.map { $0.id == event.project } ?? true
            && filter.uid.map { $0 == event.uid } ?? true
            && filter.reference.map { $0 == event.reference } ?? true
            && (filter.kinds.isEmpty || filter.kinds.contains { $0.rawValue == event.kind })
            && (filter.phoneNumber == nil || phones.contains { $0.project == event.project && event.names($0) })
    }
}

extension Authenticator {
    /// The events of the audit log that are asked for. A number is looked for in the project that is named, or in all of
    /// `projects`; what is older than the log is kept is left out even where it is still there.
    /// - Throws: ``AuditRefusal``, never `unavailable`.
    public func auditEvents(_ filter: AuditFilter, among projects: [Project]) throws(AuditRefusal) -> AuditEvents {
        var phones: Set<PhoneIdentity> = []
        if let number = filter.phoneNumber {
            let phone: E164
            do { phone = try phoneNumbers.parse(number) } catch { throw .numberInvalid(error) }
            // Events of before a move name numbers by their hashes under the former index key.
            for project in filter.project.map({ [$0] }) ?? projects {
                phones.formUnion(
                    keys.indexKeys.map { PhoneIdentity(phone.text, in: project.id, under: $0, among: store.shards) }
                )
            }
        }
        let now = environment.now()
        let kept = now.milliseconds - policy.auditRetention.milliseconds
        let oldest = max(kept, filter.since?.milliseconds ?? 0)
        var account: AccountIdentity?
        if let project = filter.project, let uid = filter.uid {
            account = AccountIdentity(project: project.id, uid: uid, among: store.shards)
        }
        return AuditEvents(
            store.auditLog(of: account, since: oldest),
            filter,
            oldest: oldest,
            phones: phones
        )
    }
}
