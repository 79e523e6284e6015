import CFastCGI

/// Serves one request after another with libfcgi; each thread has one.
struct Exchange: ~Copyable {
    private let limits: ServerConfiguration
    private let connections: ConnectionTable
    private var request = FCGXRequest()
    private var parameters = ParameterIndex()
    private var encoder = ResponseEncoder()

    init(limits: ServerConfiguration, connections: ConnectionTable) {
        self.limits = limits
        self.connections = connections
    }

    /// Reads a request, and lets the handler answer it.
    mutating func serve(
        _ connection: consuming Connection,
        with handler: inout any RequestHandler
    ) -> ServedConnection {
        guard let connection = request.read(from: connection) else { return .closed }
        defer { request.free() }

        parameters.scan(request.parameters, within: limits)
        let reader = BodyReader(stream: request.body, limits: limits)
        guard request.isForResponder, let body = reader.read(announced: announcedLength) else {
            return .closed
        }
        // The web server gave up on a request that waited longer than its time-out, and its client may have tried again
        // already.
        guard !connection.isClosedByPeer() else { return .closed }
        let response = handler.respond(to: Request(parameters: parameters, body: body))
        let isLast = connections.isStopping
        encoder.encode(response, requestID: request.id, isLast: isLast)
        guard connection.send(encoder.records) else { return .closed }
        if body == .tooLarge {
            // What was not read must never be taken for the next request's records.
            connection.drain(for: limits.ioTimeout)
            return .closed
        }
        guard request.keepsConnection else { return .closed }
        return isLast ? .saidGoodbye(connection) : .kept(connection)
    }

    /// The body's length as the web server announced it; nil when it did not.
    private var announcedLength: Int? {
        guard let text = parameters.value(of: "CONTENT_LENGTH"), !text.isEmpty else { return nil }
        return String(validating: text, as: UTF8.self).flatMap { Int($0) }.map { max($0, 0) }
    }
}
