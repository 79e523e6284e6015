internal import Encodings
public import PhoneNumbers
public import RedisScripts

/// Why nothing about a number was read or changed.
public enum NumberRefusal: Equatable, StoreRefusal {
    case numberInvalid(PhoneNumberError)
    case unavailable(StoreUnavailable)
}

/// The audit log's events that match a filter: the stored ones in chronological order and then new ones, or the latest
/// first.
public struct AuditEvents {
    private var log: AuditScan
    private let filter: AuditFilter
    private let oldest: Int64
    private let phones: Set<PhoneIdentity>

    fileprivate init(_ log: AuditScan, _ filter: AuditFilter, oldest: Int64, phones: Set<PhoneIdentity>) {
        self.log = log
        self.filter = filter
        self.oldest = oldest
        self.phones = phones
    }

    /// Returns the next event; nil if no more events are stored.
    /// - Throws: ``StoreUnavailable``.
    public mutating func next() throws(StoreUnavailable) -> AuditEvent? {
        while let event = try log.next() {
            if isAskedFor(event) { return event }
        }
        return nil
    }

    /// Returns the next `count` events, or fewer if no more are stored or `patience` is over; and whether these are
    /// all.
    /// - Throws: ``StoreUnavailable``.
    public mutating func next(
        _ count: Int,
        within patience: Duration
    ) throws(StoreUnavailable) -> (events: [AuditEvent], areAll: Bool) {
        let end = ContinuousClock.now + patience
        var events: [AuditEvent] = []
        while events.count < count, .now < end {
            guard let event = try log.next() else { return (events, true) }
            if isAskedFor(event) { events.append(event) }
        }
        return (events, false)
    }

    /// Waits at most `time` for new events; ``next()`` returns them.
    /// - Throws: ``StoreUnavailable``.
    public mutating func wait(atMost time: Duration) throws(StoreUnavailable) {
        try log.wait(milliseconds: max(1, time.milliseconds))
    }

    private func isAskedFor(_ event: AuditEvent) -> Bool {
        event.at >= oldest
            && filter.project.map { event.project.isEmpty || $0.id == event.project } ?? true
            && filter.uid.map { $0.hasSameBytes(as: event.uid) } ?? true
            && filter.reference.map { $0 == event.reference } ?? true
            && (filter.kinds.isEmpty || filter.kinds.contains { $0.rawValue == event.kind })
            && (filter.phoneNumber == nil || phones.contains { $0.project == event.project && event.names($0) })
    }
}

extension Authenticator {
    /// Returns the audit log's events that match a filter. A number is looked up in the filter's project, or else in
    /// all of `projects`. Events older than the retention period are left out even if they are still stored.
    /// - Throws: ``NumberRefusal``, never `unavailable`.
    public func auditEvents(
        _ filter: AuditFilter,
        among projects: [Project],
        latestFirst: Bool = false
    ) throws(NumberRefusal) -> AuditEvents {
        var phones: Set<PhoneIdentity> = []
        if let number = filter.phoneNumber {
            let phone: E164
            do { phone = try phoneNumbers.parse(number) } catch { throw .numberInvalid(error) }
            // Events that are older than a move name numbers by their hashes under the former index key.
            for project in filter.project.map({ [$0] }) ?? projects {
                phones.formUnion(
                    keys.indexKeys.map { PhoneIdentity(phone.text, in: project.id, under: $0) }
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
            store.auditLog(of: account, since: oldest, latestFirst: latestFirst),
            filter,
            oldest: oldest,
            phones: phones
        )
    }
}
