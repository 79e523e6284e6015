internal import CTLS
import Glibc

/// The TLS session of a socket. Its functions never wait longer than one read from the socket.
final class TLSSession {
    /// The outcome of one step.
    enum Step {
        /// Done; for a read or a write, this many bytes.
        case done(Int)
        /// The step must be repeated when the socket is readable.
        case waitsToRead
        /// The step must be repeated when the socket is writable.
        case waitsToWrite
        /// The step must be repeated at once: libssl has handled a message without data, such as a session ticket.
        case unfinished
        /// The session is over, for this reason.
        case ended(String)
    }

    /// The maximum number of session tickets that are skipped at once. Most servers send two.
    private static let maxTickets = 32

    /// `nonisolated(unsafe)`: the type does not change after it was created, and is never freed.
    private nonisolated(unsafe) static let socketType = ctls_new_socket_type()

    private let session: OpaquePointer
    private let socket: UnsafeMutablePointer<ctls_socket>

    /// Creates a session, without the handshake.
    ///
    /// - Parameters:
    ///   - context: the trust and the client's certificate.
    ///   - descriptor: a connected socket that outlives the session.
    ///   - host: the name or IP address to which the socket is connected.
    /// - Throws: ``RedisError/unavailable(_:)``
    init(_ context: TLSContext, on descriptor: Int32, to host: String) throws(RedisError) {
        let name = context.name(for: host)
        guard let type = Self.socketType, let session = SSL_new(context.pointer) else { throw Self.noMemory }
        let socket = UnsafeMutablePointer<ctls_socket>.allocate(capacity: 1)
        socket.initialize(to: ctls_socket(descriptor: descriptor, receive_flags: 0, is_waiting: 0, error: 0))
        self.session = session
        self.socket = socket
        guard ctls_attach(session, type, socket) == 1 else { throw Self.noMemory }
        guard ctls_require_address(session, name) == 1 || ctls_require_name(session, name) == 1 else {
            throw .unavailable("cannot connect: the host is not a name that a certificate can have")
        }
        SSL_set_connect_state(session)
    }

    deinit {
        SSL_free(session)
        socket.deallocate()
    }

    private static let noMemory = RedisError.unavailable("out of memory for a connection")

    /// Continues the handshake.
    func handshake() -> Step {
        step(flags: 0) { SSL_do_handshake($0) }
    }

    /// Reads data into `buffer`. With `MSG_DONTWAIT`, the read does not wait for the socket.
    func read(into buffer: UnsafeMutableRawBufferPointer, flags: Int32) -> Step {
        step(flags: flags) { SSL_read($0, buffer.baseAddress, Int32(clamping: buffer.count)) }
    }

    /// Writes data, or as much of it as the socket has room for.
    ///
    /// If the server has rejected the client certificate, the write fails, and only a read shows the reason: in TLS
    /// 1.3, the server verifies the certificate after the client has completed its handshake.
    func write(_ bytes: UnsafeRawBufferPointer) -> Step {
        let written = step(flags: 0) { SSL_write($0, bytes.baseAddress, Int32(clamping: bytes.count)) }
        guard case .ended = written else { return written }
        var byte: UInt8 = 0
        let read = withUnsafeMutableBytes(of: &byte) { self.read(into: $0, flags: Int32(MSG_DONTWAIT)) }
        if case .ended = read { return read }
        return written
    }

    /// Whether the server has sent no data and has not closed the connection. Session tickets are not data.
    var isQuiet: Bool {
        for _ in 0...Self.maxTickets {
            var byte: UInt8 = 0
            switch step(flags: Int32(MSG_DONTWAIT), { SSL_peek($0, &byte, 1) }) {
            case .waitsToRead: return true
            case .unfinished: continue
            case .done, .waitsToWrite, .ended: return false
            }
        }
        return false
    }

    /// Sends `close_notify`, which announces the end of the connection.
    func close() {
        ERR_clear_error()
        SSL_shutdown(session)
        ERR_clear_error()
    }

    private func step(flags: Int32, _ function: (OpaquePointer) -> Int32) -> Step {
        // An error that another session of this thread left behind would be taken for an error of this session.
        ERR_clear_error()
        socket.pointee.receive_flags = flags
        socket.pointee.is_waiting = 0
        let result = function(session)
        if result > 0 { return .done(Int(result)) }
        defer { ERR_clear_error() }
        switch SSL_get_error(session, result) {
        case SSL_ERROR_WANT_READ: return socket.pointee.is_waiting == 1 ? .waitsToRead : .unfinished
        case SSL_ERROR_WANT_WRITE: return .waitsToWrite
        case SSL_ERROR_ZERO_RETURN: return .ended(Self.closed)
        case SSL_ERROR_SYSCALL:
            let error = socket.pointee.error
            return .ended(error == 0 ? Self.closed : String(cString: strerror(error)))
        default: return .ended(reason)
        }
    }

    private static let closed = "the server closed it"

    /// libssl's description of the error that ended the session.
    private var reason: String {
        let result = SSL_get_verify_result(session)
        guard result == X509_V_OK else {
            let text = X509_verify_cert_error_string(result).map { String(cString: $0) } ?? "error \(result)"
            return "its certificate is not valid: \(text)"
        }
        if ctls_is_not_tls() == 1 { return "the server does not speak TLS on this port" }
        return "TLS: \(libraryReason())"
    }
}
