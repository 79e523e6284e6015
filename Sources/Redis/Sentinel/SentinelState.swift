/// What one Sentinel reports about the master and the other Sentinels.
public struct SentinelState: Sendable, Equatable {
    /// The Sentinel's address.
    public let address: String
    /// The report; nil if the Sentinel does not reply or does not know the master.
    public let report: Report?
    /// Why there is no report; empty if there is one.
    public let fault: String

    /// The report of a Sentinel.
    public struct Report: Sendable, Equatable {
        /// The master's address.
        public let master: String
        /// The number of other Sentinels that the Sentinel knows for this master.
        public let others: Int
        /// The number of Sentinels that must agree that the master is down.
        public let quorum: Int
        /// Why the Sentinel could not replace the master now, in its own words; nil if it could.
        public let objection: String?

        /// Creates a report.
        public init(master: String, others: Int, quorum: Int, objection: String?) {
            self.master = master
            self.others = others
            self.quorum = quorum
            self.objection = objection
        }
    }

    /// Creates the state of a Sentinel that replied.
    public init(address: String, report: Report) {
        self.address = address
        self.report = report
        fault = ""
    }

    /// Creates the state of a Sentinel without a report.
    public init(address: String, fault: String) {
        self.address = address
        report = nil
        self.fault = fault
    }
}

extension ConnectionConfiguration {
    /// Asks all Sentinels, one after another, and returns their states; nil if the servers are not Sentinels. Each
    /// Sentinel gets as much time as a new connection.
    public func sentinelStates() -> [SentinelState]? {
        watch.map { watch in
            watch.sentinels.servers.endpoints.map { sentinel in
                do throws(RedisError) {
                    let report = try watch.sentinels.report(of: sentinel, until: .now + connectTimeout)
                    return SentinelState(address: sentinel.description, report: report)
                } catch {
                    return SentinelState(address: sentinel.description, fault: error.description)
                }
            }
        }
    }
}

extension Sentinels {
    fileprivate func report(of sentinel: Endpoint, until end: Link.Instant) throws(RedisError) -> SentinelState.Report {
        let link = try connect(to: sentinel, until: end)
        link.append(question)
        link.append(detailedQuestion)
        link.append(Command("SENTINEL", "CKQUORUM", .text(masterName)))
        try link.flush(until: end)
        let master = try master(in: link.nextReply(until: end))
        let details = try link.nextReply(until: end).get()
        func number(_ name: String) throws(RedisError) -> Int {
            guard let number = details.value(of: name).flatMap({ Int($0) })
            else { throw .protocolViolation("a Sentinel reported no \(name)") }
            return number
        }
        let objection: String? =
            if case .error(let error) = try link.nextReply(until: end) { error.message } else { nil }
        return SentinelState.Report(
            master: master.description,
            others: try number("num-other-sentinels"),
            quorum: try number("quorum"),
            objection: objection
        )
    }
}
