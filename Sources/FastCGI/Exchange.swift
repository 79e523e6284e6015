import CFastCGI
import Glibc

/// Serves one request after another with libfcgi; each thread has one.
///
/// Who owns the descriptor: libfcgi, from the hand-over until its `FCGX_Accept_r` returns. On failure it has closed it.
/// On success it is taken back at once, and libfcgi's memory is freed later without touching it
/// (`FCGX_Free(…, 0)` in place of `FCGX_Finish_r`, which may close).
struct Exchange: ~Copyable {
    private let limits: ServerConfiguration
    private let connections: ConnectionTable
    private let request: UnsafeMutablePointer<FCGX_Request>
    private var parameters = ParameterIndex()
    private var encoder = ResponseEncoder()

    init(limits: ServerConfiguration, connections: ConnectionTable) {
        self.limits = limits
        self.connections = connections
        request = .allocate(capacity: 1)
        FCGX_InitRequest(request, -1, 0)  // no listening socket: libfcgi never accepts
    }

    deinit {
        request.deallocate()
    }

    /// Reads a request, and lets the handler answer it.
    mutating func serve(
        _ connection: consuming Connection,
        with handler: inout any RequestHandler
    ) -> ServedConnection {
        let isRegistered = connection.isRegistered
        // With an open connection set, FCGX_Accept_r reads from it in place of accepting one. Until the request tells,
        // "keep" stops it from finishing a request that never was; "detached" lets it close a broken connection at
        // once, where it would else wait for the peer, seconds at a time.
        request.pointee.ipcFd = connection.release()
        request.pointee.keepConnection = 1
        request.pointee.detached = 1
        guard FCGX_Accept_r(request) == 0 else { return .closed }
        let connection = Connection(owning: request.pointee.ipcFd, isRegistered: isRegistered)
        defer {
            request.pointee.ipcFd = -1
            FCGX_Free(request, 0)
        }

        parameters.scan(request.pointee.envp, within: limits)
        let reader = BodyReader(stream: request.pointee.in, limits: limits)
        guard request.pointee.role == FCGI_RESPONDER, let body = reader.read(announced: announcedLength) else {
            return .closed
        }
        // The web server gave up on a request that waited longer than its time-out, and its client may have tried again
        // already.
        guard !connection.isClosedByPeer() else { return .closed }
        let response = handler.respond(to: Request(parameters: parameters, body: body))
        let isLast = connections.isStopping
        encoder.encode(
            response,
            requestID: UInt16(truncatingIfNeeded: request.pointee.requestId),
            isLast: isLast
        )
        guard connection.send(encoder.records) else { return .closed }
        if body == .tooLarge {
            // What was not read must never be taken for the next request's records.
            connection.drain(for: limits.ioTimeout)
            return .closed
        }
        guard request.pointee.keepConnection != 0 else { return .closed }
        return isLast ? .saidGoodbye(connection) : .kept(connection)
    }

    /// The body's length as the web server announced it; nil when it did not.
    private var announcedLength: Int? {
        guard let text = parameters.value(of: "CONTENT_LENGTH"), !text.isEmpty else { return nil }
        return String(validating: text, as: UTF8.self).flatMap { Int($0) }.map { max($0, 0) }
    }
}
