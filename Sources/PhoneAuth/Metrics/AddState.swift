internal import Encodings
public import Metrics
internal import PhoneNumbers
internal import RedisScripts

extension Authenticator {
    /// Adds the gauges that are known when metrics are read: the outboxes, the age of the signing key, the date of the
    /// numbering data, and whether Redis answers. In a cluster, one node suffices, as for the readiness check, and the
    /// outboxes' gauges lack the projects of failed nodes. Without an answer, the outboxes' gauges are absent.
    public func addState(to snapshot: inout MetricsSnapshot) {
        let now = environment.now()
        for case .signing(let since?) in keys.signingKeys.current.states(at: now).map(\.state) {
            snapshot.set(.signingKeyAge, to: Int((now - since).components.seconds))
        }
        if let published = phoneNumbers.data.published {
            snapshot.set(.numberingDataTime, to: Int(published.seconds))
        }
        do throws(StoreUnavailable) {
            try store.ping()
            snapshot.set(.redisUp, to: 1)
        } catch {
            snapshot.set(.redisUp, to: 0)
            return
        }
        if let memory = try? store.memory() {
            snapshot.set(.redisMemoryUsed, to: Int(memory.used))
            snapshot.set(.redisMemoryLimit, to: Int(memory.limit))
        }
        do throws(StoreUnavailable) {
            let backlogs = try caches.backlogs.value { () throws(StoreUnavailable) in
                var backlogs: [Outbox: OutboxBacklog] = [:]
                for outbox in Outbox.allCases { backlogs[outbox] = try store.backlog(of: outbox) }
                return backlogs
            }
            for (outbox, backlog) in backlogs {
                let age = backlog.oldest.map { max(0, now.milliseconds - $0) / 1000 } ?? 0
                snapshot.set(.outboxItems, "\(outbox)", to: backlog.items)
                snapshot.set(.outboxAge, "\(outbox)", to: Int(age))
            }
        } catch {
            // The gauges are absent.
        }
    }
}
