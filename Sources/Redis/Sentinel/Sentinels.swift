import Encodings
import Metrics
import Synchronization

/// The Sentinels that watch a master, and what this process knows from them.
///
/// Every new connection asks a Sentinel, so that no outdated address is used. A process also subscribes to the
/// Sentinels (``MasterWatch``), because a connection to a former master may seem sound for a long time: a paused or
/// partitioned master that returns accepts writes until Sentinel makes it a replica, which then discards them.
final class Sentinels: Sendable {
    /// The addresses of the Sentinels.
    let servers: ServerList
    /// The name by which the Sentinels know the master.
    let masterName: String
    private let tls: TLSContext?
    private let user: String?
    private let password: String?

    /// The index of the Sentinel that replied last.
    private let lastAnswered = Atomic(0)
    private let switches = Atomic<UInt64>(0)
    private let known = Mutex(KnownMaster())

    init(_ servers: ServerList, of masterName: String, tls: TLSContext?, user: String?, password: String?) {
        self.servers = servers
        self.masterName = masterName
        self.tls = tls
        self.user = user
        self.password = password
    }

    /// The number of times that another server has become the master. A connection that was opened when the number was
    /// lower may lead to a former master.
    var switchCount: UInt64 { switches.load(ordering: .acquiring) }

    /// The Sentinels, starting with the one that replied last.
    var inOrder: [Endpoint] {
        let endpoints = servers.endpoints
        let first = lastAnswered.load(ordering: .relaxed)
        return Array(endpoints[first...] + endpoints[..<first])
    }

    /// Records that a Sentinel has replied.
    func answered(_ sentinel: Endpoint) {
        guard let index = servers.endpoints.firstIndex(of: sentinel) else { return }
        lastAnswered.store(index, ordering: .relaxed)
    }

    /// Records the master of a new connection. Returns whether it is the master that the process uses: after a
    /// failover, Sentinels may disagree for a while.
    func connected(to master: Endpoint) -> Bool {
        record(.connected(master))
        return known.withLock { $0.master(at: .now) == master }
    }

    /// Records what a Sentinel reports. If there is another master then, connections to the former one are outdated.
    func record(_ event: MasterEvent) {
        guard known.withLock({ $0.record(event, at: .now) }) else { return }
        switches.add(1, ordering: .releasing)
        MetricFamily.redisMasterSwitches.count()
    }

    /// Returns whether a failover has promoted another server than this one, of which some Sentinels may not know yet.
    func isReplaced(_ master: Endpoint) -> Bool { known.withLock { $0.isReplaced(master, at: .now) } }

    /// Returns the number of failovers that have begun.
    ///
    /// During a failover, a replica that still follows the former master confirms writes that are then dropped:
    /// ``countsConfirmation(by:since:)``.
    ///
    /// - Throws: ``RedisError/unavailable(_:)`` while the master that this process uses is being replaced.
    func failoverCount() throws(RedisError) -> UInt64 {
        try known.withLock { known throws(RedisError) in
            guard !known.isBeingReplaced(known.master(at: .now), at: .now)
            else { throw .unavailable("its master is being replaced") }
            return known.failoverCount
        }
    }

    /// Returns whether a confirmation that `master` has sent counts: it is not being replaced, and no failover has
    /// begun since ``failoverCount()`` returned `count`.
    func countsConfirmation(by master: Endpoint, since count: UInt64) -> Bool {
        known.withLock { $0.failoverCount == count && !$0.isBeingReplaced(master, at: .now) }
    }

    /// Connects to a Sentinel and logs in.
    func connect(to sentinel: Endpoint, until end: Link.Instant) throws(RedisError) -> Link {
        let link = try Link(to: sentinel, tls: tls, until: end)
        guard let password else { return link }
        var command = Command("AUTH")
        if let user { command.append(user) }
        command.append(password)
        link.append(command)
        try link.flush(until: end)
        _ = try link.nextReply(until: end).get()
        return link
    }

    /// The command that asks for the master.
    var question: Command { Command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", .text(masterName)) }

    /// Returns the master in a reply to ``question``.
    /// - Throws: ``RedisError``; ``RedisError/unavailable(_:)`` if the Sentinel does not know the master.
    func master(in reply: Reply) throws(RedisError) -> Endpoint {
        let reply = try reply.get()
        if reply == .null { throw .unavailable("it knows no master named \(masterName)") }
        guard let fields = reply.array, fields.count == 2, let host = fields[0].text, let port = fields[1].text,
            let master = Endpoint(host: host, port: port)
        else { throw .protocolViolation("a Sentinel named a master without an address") }
        return master
    }

    /// The command that asks for what a Sentinel knows about the master.
    var detailedQuestion: Command { Command("SENTINEL", "MASTER", .text(masterName)) }

    /// Returns the master if, according to a reply to ``detailedQuestion``, the Sentinel is replacing it.
    func masterBeingReplaced(in reply: Reply) -> Endpoint? {
        guard let flags = reply.value(of: "flags"), flags.split(separator: ",").contains("failover_in_progress"),
            let host = reply.value(of: "ip"), let port = reply.value(of: "port")
        else { return nil }
        return Endpoint(host: host, port: port)
    }

    /// Returns the master that a Sentinel reports.
    /// - Throws: ``RedisError``
    func master(from sentinel: Endpoint, until end: Link.Instant) throws(RedisError) -> Endpoint {
        let link = try connect(to: sentinel, until: end)
        link.append(question)
        try link.flush(until: end)
        return try master(in: link.nextReply(until: end))
    }
}

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
