public import Threads
/// The configuration of a connection: servers, user and timeouts.
public struct ConnectionConfiguration: Sendable {
    /// The servers. If there are several, each new connection uses the first one that is reachable and not a replica.
    public let servers: ServerList
    /// The TLS settings: trust and client certificate; nil for plain connections. Unix sockets are always plain.
    public var tls: TLSContext?
    /// The watch of the Sentinels, if the servers are Sentinels. All copies of the configuration share what the
    /// Sentinels report.
    let watch: MasterWatch?
    /// The watch of the cluster, if the servers are its nodes. All copies of the configuration share what is known
    /// about the cluster.
    let clusterWatch: ClusterWatch?
    /// The ACL user; nil for the default user.
    public var user: String?
    /// The user's password; nil to connect without logging in. It is never printed.
    public var password: String?
    /// The number of the database. A cluster has only database 0.
    public var database: Int
    /// The name under which `CLIENT LIST` shows the connection; without spaces. By default, all connections of a
    /// process have the same one, and no other process has it.
    public var clientName: String
    /// The timeout of connecting and logging in together.
    public var connectTimeout: Duration
    /// The timeout of a command, or of a pipeline.
    public var commandTimeout: Duration
    /// The replicas that must confirm writes if a call requires confirmation; nil for none. Its timeout must be shorter
    /// than the command timeout, which would otherwise end the connection first.
    public var replicaConfirmation: ReplicaConfirmation?
    /// Limits how many connections may be in a second try at the same time, because the server did not reply to the
    /// first call in time; nil for no limit. All connections of a process share it.
    ///
    /// A second try waits until the request's deadline and blocks its thread; the other threads fail after the command
    /// timeout. So a server that hangs does not block all threads of a process for long, and an overloaded server does
    /// not get all of its work twice.
    public var secondTries: CountingGate?
    /// The first delay before reconnecting after a failed attempt. Each further failure doubles it.
    public var firstRetryDelay: Duration
    /// The longest delay before reconnecting.
    public var maxRetryDelay: Duration

    /// Creates a configuration.
    ///
    /// If the servers are Sentinels, `sentinelUser` and `sentinelPassword` are for them, and `user` and `password` for
    /// the master.
    public init(
        servers: ServerList,
        tls: TLSContext? = nil,
        sentinelUser: String? = nil,
        sentinelPassword: String? = nil,
        user: String? = nil,
        password: String? = nil,
        database: Int = 0,
        clientName: String = nameOfProcess,
        connectTimeout: Duration = .milliseconds(500),
        commandTimeout: Duration = .seconds(1),
        replicaConfirmation: ReplicaConfirmation? = nil,
        secondTries: CountingGate? = nil,
        firstRetryDelay: Duration = .milliseconds(50),
        maxRetryDelay: Duration = .seconds(1)
    ) {
        self.servers = servers
        self.tls = tls
        watch = servers.masterName.map { name in
            let sentinels = Sentinels(servers, of: name, tls: tls, user: sentinelUser, password: sentinelPassword)
            return MasterWatch(sentinels, connectTimeout: connectTimeout)
        }
        clusterWatch = servers.isCluster ? ClusterWatch(seeds: servers.endpoints) : nil
        self.user = user
        self.password = password
        self.database = database
        self.clientName = clientName
        self.connectTimeout = connectTimeout
        self.commandTimeout = commandTimeout
        self.replicaConfirmation = replicaConfirmation
        self.secondTries = secondTries
        self.firstRetryDelay = firstRetryDelay
        self.maxRetryDelay = maxRetryDelay
    }

    /// Returns the groups of a second try. Requests that have only read get at most half of the second tries, because
    /// their users can repeat them. A request that has called a script may have used up a code, and its user would need
    /// a new one.
    func groups(ofSecondTryAfterScript isAfterScript: Bool) -> [CountingGate.Group] {
        isAfterScript ? [] : [("only reads", max(1, (secondTries?.maximum ?? .max) / 2))]
    }
}

extension ConnectionConfiguration {
    /// The beginning of the name of each connection.
    public static let clientNamePrefix = "dialtone-"

    /// The name of this process's connections.
    public static let nameOfProcess = clientNamePrefix + String(UInt64.random(in: .min ... .max), radix: 36)

    /// Returns the configuration of a connection to one server of the deployment, whatever its role; nil if the address
    /// is invalid.
    public func only(host: some StringProtocol, port: some StringProtocol) -> ConnectionConfiguration? {
        guard let endpoint = Endpoint(host: String(host), port: String(port)) else { return nil }
        return ConnectionConfiguration(
            servers: ServerList(endpoint),
            tls: tls,
            user: user,
            password: password,
            database: database,
            clientName: clientName,
            connectTimeout: connectTimeout,
            commandTimeout: commandTimeout
        )
    }
}

extension ConnectionConfiguration: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The servers, user and database: never the password.
    public var description: String {
        "\(servers) TLS=\(tls == nil ? "off" : "on") user=\(user ?? "default") password=\(password == nil ? "none" : "set") database=\(database)"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Hides the stored properties, and with them the password, from `dump`.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
