import CFastCGI

/// A reader and responder for FastCGI requests, one per thread.
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

    /// Reads a request, calls the handler and sends its response.
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
        // If a request waited longer than the web server's timeout, the web server has closed the connection, and its
        // client may have retried already.
        guard !connection.isClosedByPeer() else { return .closed }
        let response = handler.respond(to: Request(parameters: parameters, body: body))
        let isLast = connections.isStopping
        encoder.encode(response, requestID: request.id, isLast: isLast)
        guard connection.send(encoder.records) else { return .closed }
        if body == .tooLarge {
            // The unread rest must never be parsed as the next request's records.
            connection.drain(for: limits.ioTimeout)
            return .closed
        }
        guard request.keepsConnection else { return .closed }
        return isLast ? .announcedClose(connection) : .kept(connection)
    }

    /// The body's length according to `CONTENT_LENGTH`; nil if absent.
    private var announcedLength: Int? {
        guard let text = parameters.value(of: "CONTENT_LENGTH"), !text.isEmpty else { return nil }
        return String(validating: text, as: UTF8.self).flatMap { Int($0) }.map { max($0, 0) }
    }
}

/// The state of a connection after a request.
enum ServedConnection: ~Copyable {
    /// Closed as requested, or because the connection failed.
    case closed
    /// Open for the client's next request.
    case kept(Connection)
    /// Open, but the response has told the client not to reuse it.
    case announcedClose(Connection)
}
