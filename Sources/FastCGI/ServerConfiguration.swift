/// The sizes and limits of a ``Server``.
public struct ServerConfiguration: Sendable, Hashable {
    /// Requests in hand at once. A waiting connection holds no thread.
    public var threads: Int
    /// Requests worked on at once. The other threads serve where one of these waits for something that takes no processor and steps
    /// aside meanwhile: its handler, or its answer that the web server is slow to read.
    public var activeThreads: Int
    /// Larger request bodies are not read; the handler sees ``Request/Body-swift.enum/tooLarge``.
    public var maxBodyBytes: Int
    /// More parameters than this are not given to the handler; see ``Request/parametersWithinLimits``.
    public var maxParameters: Int
    /// Parameters of more bytes than this, names and values together, are not given to the handler.
    public var maxParameterBytes: Int
    /// How long one read or write may make no progress, how long a new connection may stay silent,
    /// and about how long a body may take in all.
    public var ioTimeout: Duration
    /// How long a stopping server still serves what the web server may just be sending.
    public var drainGrace: Duration
    /// Open connections. At the limit, the one that has waited longest for a request makes room for a new one.
    public var maxConnections: Int

    /// The defaults suit a worker of short requests behind one web server.
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
