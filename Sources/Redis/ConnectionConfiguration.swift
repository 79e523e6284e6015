/// Which Redis to use, as whom, and how long to wait for it.
public struct ConnectionConfiguration: Sendable {
    /// Where the server listens.
    public var endpoint: Endpoint
    /// The ACL user; nil for the default user.
    public var user: String?
    /// The user's password; nil to use the server without logging in. It is never printed.
    public var password: String?
    /// The number of the database.
    public var database: Int
    /// The name under which `CLIENT LIST` shows the connection; without spaces.
    public var clientName: String
    /// How long connecting and logging in may take together.
    public var connectTimeout: Duration
    /// How long a command, or a pipeline of them, may take.
    public var commandTimeout: Duration
    /// Who must have the writes that ask for it, besides the server itself; nil for nobody. Its time must be shorter than the
    /// command time-out, which would otherwise end the connection first.
    public var replicaConfirmation: ReplicaConfirmation?
    /// Bounds the second tries of all connections that share it; nil for no bound.
    public var secondTries: SecondTries?
    /// How long to leave a server alone after a first failed attempt to connect. Each further failure doubles it.
    public var firstRetryDelay: Duration
    /// How long to leave a server alone at most.
    public var maxRetryDelay: Duration

    /// Describes a connection.
    public init(
        endpoint: Endpoint,
        user: String? = nil,
        password: String? = nil,
        database: Int = 0,
        clientName: String = "dialtone",
        connectTimeout: Duration = .milliseconds(500),
        commandTimeout: Duration = .seconds(1),
        replicaConfirmation: ReplicaConfirmation? = nil,
        secondTries: SecondTries? = nil,
        firstRetryDelay: Duration = .milliseconds(50),
        maxRetryDelay: Duration = .seconds(1)
    ) {
        self.endpoint = endpoint
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
}

extension ConnectionConfiguration: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The endpoint, user and database: never the password.
    public var description: String {
        "\(endpoint) user=\(user ?? "default") password=\(password == nil ? "none" : "set") database=\(database)"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Hides the stored properties, and with them the password, from `dump`.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
