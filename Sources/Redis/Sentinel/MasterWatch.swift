/// A watch that subscribes to the Sentinels, once per process.
///
/// One subscription reports who the master is. Changes that were missed while no subscription was active are found by
/// comparison: ``MasterEvent/reported(_:)``. A further subscription to each Sentinel reports when a failover begins and
/// when it has promoted another server, because only the Sentinel that leads the failover announces that. It announces
/// `+switch-master` later, once the replicas follow the new master. The other Sentinels announce this when they learn
/// of the promotion.
final class MasterWatch: Sendable {
    let sentinels: Sentinels
    private let subscriptions: [Subscription]

    /// Creates a watch that is not started.
    init(_ sentinels: Sentinels, connectTimeout: Duration) {
        self.sentinels = sentinels
        let record: @Sendable (_ channel: String, _ message: String) -> Void = { [sentinels] channel, message in
            if let event = MasterEvent(channel, message, of: sentinels.masterName) { sentinels.record(event) }
        }
        let newMaster = Subscription(
            sentinels,
            to: sentinels.servers.endpoints,
            channels: [MasterEvent.switchChannel],
            connectTimeout: connectTimeout,
            reportMaster: { [sentinels] in sentinels.record(.reported($0)) },
            report: record
        )
        let failovers = sentinels.servers.endpoints.map { endpoint in
            Subscription(
                sentinels,
                to: [endpoint],
                channels: MasterEvent.failoverChannels,
                connectTimeout: connectTimeout,
                reportFailover: { [sentinels] in sentinels.record(.failoverBegan($0)) },
                report: record
            )
        }
        subscriptions = [newMaster] + failovers
    }

    /// Starts the threads, unless they are running. Without them, connections find a new master only once the former
    /// one fails.
    func start() {
        for subscription in subscriptions { subscription.start() }
    }
}

extension MasterEvent {
    static let switchChannel = "+switch-master"
    static let failoverChannels = [failoverBegins, promotion] + failoverAborts

    private static let failoverBegins = "+try-failover"
    private static let promotion = "+promoted-slave"
    private static let failoverAborts = [
        "-failover-abort-not-elected", "-failover-abort-no-good-slave", "-failover-abort-slave-timeout",
    ]

    /// Parses a Sentinel's message about the master with this name; nil if it is about another.
    ///
    /// | channel | message |
    /// |---|---|
    /// | `+switch-master` | `<name> <former address> <former port> <address> <port>` |
    /// | `+promoted-slave` | `slave <its name> <address> <port> @ <name> <former address> <former port>` |
    /// | the others | `master <name> <address> <port>`, and possibly more |
    ///
    /// <https://redis.io/docs/latest/operate/oss_and_stack/management/sentinel/#pubsub-messages>
    init?(_ channel: String, _ message: String, of name: String) {
        let fields = message.split(separator: " ").map(String.init)
        func server(_ index: Int) -> Endpoint? { Endpoint(host: fields[index], port: fields[index + 1]) }
        switch channel {
        case Self.switchChannel:
            guard fields.count == 5, fields[0] == name, let former = server(1), let master = server(3)
            else { return nil }
            self = .switched(from: former, to: master)
        case Self.promotion:
            guard fields.count == 8, fields[0] == "slave", fields[4] == "@", fields[5] == name,
                let former = server(6), let master = server(2)
            else { return nil }
            self = .promoted(from: former, to: master)
        default:
            guard fields.count >= 4, fields[0] == "master", fields[1] == name, let master = server(2)
            else { return nil }
            self = channel == Self.failoverBegins ? .failoverBegan(master) : .failoverAborted(master)
        }
    }
}
