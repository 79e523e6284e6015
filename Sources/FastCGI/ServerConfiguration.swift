/// The sizes and limits of a ``Server``.
public struct ServerConfiguration: Sendable, Hashable {
    /// The maximum number of requests in progress. An idle connection holds no thread.
    public var threads: Int
    /// The maximum number of threads that are active at once. While an active thread waits for its handler, or for a
    /// web server that reads the response slowly, it steps aside, and another thread becomes active.
    public var activeThreads: Int
    /// The maximum size of a request body. Larger bodies are not read; the handler receives
    /// ``Request/Body-swift.enum/tooLarge``.
    public var maxBodyBytes: Int
    /// The maximum number of parameters. If there are more, the handler receives none; see
    /// ``Request/parametersWithinLimits``.
    public var maxParameters: Int
    /// The maximum size of all parameters, names and values together. If it is exceeded, the handler receives none.
    public var maxParameterBytes: Int
    /// The timeout of one read or write, of a new connection that sends nothing, and approximately of reading a whole
    /// body.
    public var ioTimeout: Duration
    /// The period in which a stopping server still serves requests that the web server may be sending.
    public var drainGrace: Duration
    /// The maximum number of open connections. At the limit, the connection that has been idle longest is closed for a
    /// new one. The default is the sum of 512 requests in progress, which is the maximum of `DIALTONE_THREADS`, and 512
    /// idle connections: those of eight nginx processes, which keep 64 each (`keepalive` in `nginx/dialtone.conf`).
    public var maxConnections: Int

    /// Creates a configuration. The defaults suit a worker with short requests behind one web server.
    public init(
        threads: Int = 16,
        activeThreads: Int = .max,
        maxBodyBytes: Int = 65_536,
        maxParameters: Int = 128,
        maxParameterBytes: Int = 32_768,
        ioTimeout: Duration = .seconds(10),
        drainGrace: Duration = .milliseconds(200),
        maxConnections: Int = 1024
    ) {
        self.threads = threads
        self.activeThreads = activeThreads
        self.maxBodyBytes = maxBodyBytes
        self.maxParameters = maxParameters
        self.maxParameterBytes = maxParameterBytes
        self.ioTimeout = ioTimeout
        self.drainGrace = drainGrace
        self.maxConnections = maxConnections
    }
}
