import CFastCGI
import Glibc

/// libfcgi's process-wide state, initialized and checked once.
enum FCGXLibrary {
    private static let result: Int32 = {
        // libfcgi installs its own handlers for these signals. This server needs none of them, and the program owns the
        // signals, so the previous actions are restored.
        let signals = [SIGPIPE, SIGUSR1, SIGTERM]
        var held = sigset_t()
        var before = sigset_t()
        sigemptyset(&held)
        for signal in signals { sigaddset(&held, signal) }
        pthread_sigmask(SIG_BLOCK, &held, &before)
        let actions = signals.map { signal in
            var action = sigaction()
            sigaction(signal, nil, &action)
            return action
        }
        defer {
            for (signal, var action) in zip(signals, actions) { sigaction(signal, &action, nil) }
            pthread_sigmask(SIG_SETMASK, &before, nil)
        }
        return FCGX_Init()
    }()

    private static let selfCheck = Result { () throws(ServerError) in try FCGXSelfCheck.run() }

    static func start() throws(ServerError) {
        if result != 0 { throw .systemCall("FCGX_Init", error: abs(result)) }
        try selfCheck.get()
    }
}

/// A check at start that the installed libfcgi behaves as ``FCGXRequest`` expects.
///
/// The check sends fixed requests through a socket pair, which takes well under a millisecond. If libfcgi behaved
/// differently, a client could receive another client's data, so the server does not start.
struct FCGXSelfCheck: ~Copyable {
    private static let body = Array("grant_type=refresh_token".utf8)
    /// A value whose length takes four bytes in a parameter record.
    private static let longValue = [UInt8](repeating: UInt8(ascii: "v"), count: 200)
    private static let timeout = Duration.seconds(2)

    private let webServer: Connection
    private var connection: Connection?
    private var request = FCGXRequest()

    /// Throws ``ServerError/incompatibleLibrary(expectation:)`` for the first expectation that does not hold.
    static func run() throws(ServerError) {
        var kept = try Self()
        try kept.checkRequest(id: 1, keepsConnection: true)
        try kept.checkRequest(id: 258, keepsConnection: false)
        var broken = try Self()
        try broken.checkInvalidRequest()
    }

    private init() throws(ServerError) {
        let pair = try ConnectionPair(timeout: Self.timeout)
        webServer = pair.first
        connection = .some(pair.second)
    }

    /// Serves one request on the connection and keeps the connection open.
    private mutating func checkRequest(id: UInt16, keepsConnection: Bool) throws(ServerError) {
        guard let given = connection.take() else { return }
        let number = given.number
        try expect(webServer.send(Self.records(id: id, keepsConnection: keepsConnection)), "sockets take a request")
        guard let read = request.read(from: given) else {
            throw .incompatibleLibrary(expectation: "a request is read from the connection that is given")
        }
        try expect(read.number == number, "the connection that was given is returned")
        try expect(request.id == id && request.isForResponder, "the request's id and role are read")
        try expect(request.keepsConnection == keepsConnection, "FCGI_KEEP_CONN is read")

        let limits = ServerConfiguration()
        var parameters = ParameterIndex()
        parameters.scan(request.parameters, within: limits)
        try expect(parameters.value(of: "REQUEST_METHOD").map(Array.init) == Array("POST".utf8), "parameters are read")
        try expect(parameters.value(of: "LONG").map(Array.init) == Self.longValue, "long parameters are read")
        try expect(parameters.value(of: "EMPTY")?.isEmpty == true, "empty parameters are read")
        let reader = BodyReader(stream: request.body, limits: limits)
        try expect(reader.read(announced: Self.body.count) == .bytes(Self.body), "the body is read")

        var encoder = ResponseEncoder()
        encoder.encode(Response(status: 200, body: Self.body), requestID: id, isLast: false)
        try expect(read.send(encoder.records), "the connection takes the response")
        request.free()
        try expect(webServer.receive(atMost: 4096) == encoder.records, "libfcgi writes nothing of its own")
        try expect(!webServer.isClosedByPeer(), "a connection stays open at the end of a request")
        connection = consume read
    }

    /// Sends an invalid header, followed by more bytes than libfcgi reads.
    private mutating func checkInvalidRequest() throws(ServerError) {
        guard let given = connection.take() else { return }
        try expect(webServer.send([UInt8](repeating: 9, count: 20_000)), "sockets take an invalid request")
        guard request.read(from: given) == nil else {
            throw .incompatibleLibrary(expectation: "an invalid request is refused")
        }
        try expect(webServer.isClosedByPeer(), "the connection of an invalid request is closed")
        // If libfcgi had waited for the peer, it would have read the rest, and the connection would not be reset.
        errno = 0
        try expect(webServer.receive(atMost: 1) == nil && errno == ECONNRESET, "a broken connection is closed at once")
    }

    private func expect(_ condition: Bool, _ expectation: StaticString) throws(ServerError) {
        if !condition { throw .incompatibleLibrary(expectation: expectation.description) }
    }

    private static func records(id: UInt16, keepsConnection: Bool) -> [UInt8] {
        let flags = keepsConnection ? UInt8(FCGI_KEEP_CONN) : 0
        let parameters =
            [14, 4] + Array("REQUEST_METHODPOST".utf8)
            + [4, 0x80, 0, 0, UInt8(longValue.count)] + Array("LONG".utf8) + longValue
            + [5, 0] + Array("EMPTY".utf8)
        return record(FCGI_BEGIN_REQUEST, id, [0, UInt8(FCGI_RESPONDER), flags, 0, 0, 0, 0, 0])
            + record(FCGI_PARAMS, id, parameters) + record(FCGI_PARAMS, id, [])
            + record(FCGI_STDIN, id, body) + record(FCGI_STDIN, id, [])
    }

    private static func record(_ type: Int32, _ id: UInt16, _ content: [UInt8]) -> [UInt8] {
        [
            UInt8(FCGI_VERSION_1), UInt8(type), UInt8(id >> 8), UInt8(id & 0xff),
            UInt8(content.count >> 8), UInt8(content.count & 0xff), 0, 0,
        ] + content
    }
}

extension Connection {
    /// Returns the bytes that have arrived; nil if there are none or the connection failed (`errno`).
    fileprivate borrowing func receive(atMost limit: Int) -> [UInt8]? {
        let descriptor = number
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            count = max(0, recv(descriptor, buffer.baseAddress, limit, Int32(MSG_DONTWAIT)))
        }
        return bytes.isEmpty ? nil : bytes
    }
}

/// A socket pair: what one connection sends, the other receives. Each read and write has a timeout.
struct ConnectionPair: ~Copyable {
    let first: Connection
    let second: Connection

    init(timeout: Duration) throws(ServerError) {
        var descriptors: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &descriptors) == 0 else {
            throw .systemCall("socketpair", error: errno)
        }
        first = Connection(owning: descriptors[0], isRegistered: false)
        second = Connection(owning: descriptors[1], isRegistered: false)
        first.setTimeout(timeout)
        second.setTimeout(timeout)
    }
}
