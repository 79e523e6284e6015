/// A watch that subscribes to the Sentinels, once per process.
///
/// One subscription reports who the master is. Changes that were missed while no subscription was active are found by
/// comparison: ``Sentinels/reported(_:)``. A further subscription to each Sentinel reports when a failover begins and
/// when it promotes another server, because only the Sentinel that leads the failover announces that:
/// ``Sentinels/failoverBegan(of:)``. `+switch-master` follows only when the replicas follow the new master.
final class MasterWatch: Sendable {
    let sentinels: Sentinels
    private let subscriptions: [Subscription]

    /// Creates a watch that is not started.
    init(_ sentinels: Sentinels, connectTimeout: Duration) {
        self.sentinels = sentinels
        let newMaster = Subscription(
            sentinels,
            to: sentinels.servers.endpoints,
            channels: ["+switch-master"],
            connectTimeout: connectTimeout,
            reportMaster: sentinels.reported
        ) { [sentinels] _, message in
            if let master = Self.newMaster(in: message, of: sentinels.masterName) { sentinels.switched(to: master) }
        }
        let failovers = sentinels.servers.endpoints.map { endpoint in
            Subscription(
                sentinels,
                to: [endpoint],
                channels: [Self.failoverBegins, Self.promotion] + Self.failoverAborts,
                connectTimeout: connectTimeout,
                reportFailover: sentinels.failoverBegan
            ) { [sentinels] channel, message in
                if channel == Self.promotion {
                    if let master = Self.promoted(in: message, of: sentinels.masterName) { sentinels.reported(master) }
                    return
                }
                guard let master = Self.master(in: message, of: sentinels.masterName) else { return }
                if channel == Self.failoverBegins {
                    sentinels.failoverBegan(of: master)
                } else {
                    sentinels.failoverAborted(of: master)
                }
            }
        }
        subscriptions = [newMaster] + failovers
    }

    /// Starts the threads, unless they are running. Without them, connections find a new master only once the former
    /// one fails.
    func start() {
        for subscription in subscriptions { subscription.start() }
    }

    private static let failoverBegins = "+try-failover"
    private static let promotion = "+promoted-slave"
    private static let failoverAborts = [
        "-failover-abort-not-elected", "-failover-abort-no-good-slave", "-failover-abort-slave-timeout",
    ]

    /// Reads `<name> <former address> <former port> <address> <port>`.
    private static func newMaster(in message: String, of name: String) -> Endpoint? {
        let fields = message.split(separator: " ")
        guard fields.count == 5, fields[0] == name else { return nil }
        return Endpoint(host: String(fields[3]), port: String(fields[4]))
    }

    /// Reads `slave <its name> <address> <port> @ <name> <former address> <former port>`.
    private static func promoted(in message: String, of name: String) -> Endpoint? {
        let fields = message.split(separator: " ")
        guard fields.count == 8, fields[0] == "slave", fields[4] == "@", fields[5] == name else { return nil }
        return Endpoint(host: String(fields[2]), port: String(fields[3]))
    }

    /// Reads `master <name> <address> <port>`.
    private static func master(in message: String, of name: String) -> Endpoint? {
        let fields = message.split(separator: " ")
        guard fields.count >= 4, fields[0] == "master", fields[1] == name else { return nil }
        return Endpoint(host: String(fields[2]), port: String(fields[3]))
    }
}
