/// What a Redis says of itself, as far as the user who asks may know.
public struct RedisState: Sendable {
    /// The fields of `INFO`; nil where the user may not ask.
    var information: [String: String]?
    /// What `CONFIG GET` tells of the settings that were asked for; those that the user may not know are not there.
    var settings: [String: String] = [:]
    /// How far its clock is ahead of this machine's, in milliseconds; negative where it is behind.
    var clockDifference: Int64 = 0
    /// The commands that the user may not run though Dialtone does; nil where the server cannot tell.
    var refusedCommands: [String]?
    /// With how many shards the deployment was created; nil where no worker has been there yet.
    var shards: String?

    /// A field of `INFO` as a number.
    func number(_ name: String) -> Int64? { information?[name].flatMap { Int64($0) } }

    /// The replicas, as `INFO` lists them.
    var replicas: [Replica] {
        (0..<(number("connected_slaves") ?? 0)).compactMap { index in
            information?["slave\(index)"].flatMap { Replica($0) }
        }
    }

    /// A replica, as its master sees it.
    struct Replica: Equatable {
        let address: String
        let isOnline: Bool
        /// How long ago it last reported, in seconds.
        let lag: Int64
        /// How much of the master's writes it has.
        let offset: Int64

        /// Reads `ip=127.0.0.1,port=6380,state=online,offset=14,lag=0`.
        init?(_ line: String) {
            var fields: [Substring: Substring] = [:]
            for field in line.split(separator: ",") {
                let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                if parts.count == 2 { fields[parts[0]] = parts[1] }
            }
            guard let host = fields["ip"], let port = fields["port"], let state = fields["state"],
                let offset = fields["offset"].flatMap({ Int64($0) }), let lag = fields["lag"].flatMap({ Int64($0) })
            else { return nil }
            address = "\(host):\(port)"
            isOnline = state == "online"
            self.lag = lag
            self.offset = offset
        }
    }
}
