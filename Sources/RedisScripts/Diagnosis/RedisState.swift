/// A Redis's reports about itself, as far as the ACL permits the user to read them.
public struct RedisState: Sendable {
    /// The address of a master of a cluster; nil if Redis is not a cluster.
    var node: String?
    /// Why a master of a cluster has no reports; nil if it has them.
    var failure: String?
    /// The fields of `CLUSTER INFO`; nil if Redis is not a cluster.
    var cluster: [String: String]?
    /// The slots that this node of a cluster exports or imports; nil if the ACL denies `CLUSTER NODES`.
    var openSlots: [OpenSlot]?
    /// The fields of `INFO`; nil if the ACL denies it.
    var information: [String: String]?
    /// The settings from `CONFIG GET`, without those that the ACL does not permit the user to read.
    var settings: [String: String] = [:]
    /// How far Redis's clock is ahead of this machine's, in milliseconds; negative if it is behind.
    var clockDifference: Int64 = 0
    /// The commands that Dialtone needs and the user may not run; nil if the server cannot tell.
    var refusedCommands: [String]?
    /// The marks and the number of shards of the deployment whose Redis this is; empty if no deployment has adopted
    /// it, nil if they cannot be read.
    var deployment: [String: String]?

    /// Returns a field of `INFO` as a number.
    func number(_ name: String) -> Int64? { information?[name].flatMap { Int64($0) } }

    /// The replicas, as `INFO` lists them.
    var replicas: [Replica] {
        (0..<(number("connected_slaves") ?? 0)).compactMap { index in
            information?["slave\(index)"].flatMap { Replica($0) }
        }
    }

    /// A replica in its master's report.
    struct Replica: Equatable {
        let host: Substring
        let port: Substring
        let isOnline: Bool
        /// Seconds since its last report.
        let lag: Int64
        /// The replication offset: how much of the master's writes it has.
        let offset: Int64

        var address: String { "\(host):\(port)" }

        /// Parses `ip=127.0.0.1,port=6380,state=online,offset=14,lag=0`.
        init?(_ line: String) {
            var fields: [Substring: Substring] = [:]
            for field in line.split(separator: ",") {
                let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                if parts.count == 2 { fields[parts[0]] = parts[1] }
            }
            guard let host = fields["ip"], let port = fields["port"], let state = fields["state"],
                let offset = fields["offset"].flatMap({ Int64($0) }), let lag = fields["lag"].flatMap({ Int64($0) })
            else { return nil }
            self.host = host
            self.port = port
            isOnline = state == "online"
            self.lag = lag
            self.offset = offset
        }
    }
}
