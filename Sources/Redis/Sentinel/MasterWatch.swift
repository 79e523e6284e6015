/// A watch that subscribes to the Sentinels, once per process.
///
/// One subscription reports who the master is. Changes that were missed while no subscription was active are found by
/// comparison: ``MasterEvent/reported(_:)``. A further subscription to each Sentinel reports when it begins a failover
/// and when it has promoted a server, which no other Sentinel announces. The Sentinel that has promoted a server
/// announces `+switch-master` only once the replicas follow it, or `failover-timeout` is over. The others announce this
/// when they learn of the promotion.
final class MasterWatch: Sendable {
    let sentinels: Sentinels
    private let subscriptions: [Subscription]

    /// Creates a watch that is not started.
    init(_ sentinels: Sentinels, connectTimeout: Duration) {
        self.sentinels = sentinels
        let newMaster = Subscription(
            sentinels,
            to: sentinels.servers.endpoints,
            channels: MasterEvent.masterChannels,
            connectTimeout: connectTimeout,
            reportMaster: { [sentinels] in sentinels.record(.reported($0)) },
            report: { [sentinels] channel, message in
                switch MasterEvent(channel, message, of: sentinels.masterName) {
                // The Sentinel names the promoted server from now on.
                case .promoted(_, let master): sentinels.record(.reported(master))
                case let event?: sentinels.record(event)
                case nil: break
                }
            }
        )
        let failovers = sentinels.servers.endpoints.map { endpoint in
            Subscription(
                sentinels,
                to: [endpoint],
                channels: MasterEvent.failoverChannels,
                connectTimeout: connectTimeout,
                reportFailover: { [sentinels] in sentinels.record(.failoverBegan($0)) },
                report: { [sentinels] channel, message in
                    if let event = MasterEvent(channel, message, of: sentinels.masterName) { sentinels.record(event) }
                }
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
    static let masterChannels = [switchOfMaster, promotion]
    static let failoverChannels = [failoverBegins, promotion] + failoverAborts

    private static let switchOfMaster = "+switch-master"
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
        case Self.switchOfMaster:
            guard fields.count == 5, fields[0] == name, let master = server(3) else { return nil }
            self = .reported(master)
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
