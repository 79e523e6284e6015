import CFastCGI

/// A FastCGI request that libfcgi reads. All knowledge about libfcgi's internals is in this file.
///
/// The server accepts connections itself, because a thread in libfcgi's own loop stays with an idle connection and
/// cannot be stopped. libfcgi has no function for a connection that is already accepted, so this type sets fields below
/// the header's line "Don't use anything below here". In libfcgi 2.4.2, these fields have the following effects:
///
/// - `ipcFd`: If it is not negative, `FCGX_Accept_r` reads the request from this descriptor and does not accept a
///   connection. If the request is invalid, `FCGX_Accept_r` closes the descriptor.
/// - `keepConnection`: 0 makes `FCGX_Accept_r` close `ipcFd` first, as at the end of a request. Once the request has
///   been read, the field is the request's flag `FCGI_KEEP_CONN`.
/// - `detached`: 0 makes libfcgi wait for the peer, for up to 2 seconds after each read, before it closes a broken
///   connection. Otherwise it closes the connection at once.
/// - `listen_sock`: -1 makes every attempt to accept a connection fail.
///
/// `FCGX_Free(…, 0)` frees a request without writing to the connection or closing it, as `FCGX_Finish_r` may do.
///
/// `CFastCGI/shim.h` asserts the layout of the fields, and ``FCGXSelfCheck`` checks their effects at start.
struct FCGXRequest: ~Copyable {
    private let request: UnsafeMutablePointer<FCGX_Request>

    init() {
        request = .allocate(capacity: 1)
        FCGX_InitRequest(request, -1, 0)
    }

    deinit {
        request.deallocate()
    }

    /// Reads a request up to its body. ``free()`` must follow once the body has been read.
    ///
    /// - Returns: the same connection; nil if it broke or the request is invalid, in which case libfcgi has closed it.
    mutating func read(from connection: consuming Connection) -> Connection? {
        let isRegistered = connection.isRegistered
        request.pointee.ipcFd = connection.release()
        request.pointee.keepConnection = 1
        request.pointee.detached = 1
        guard FCGX_Accept_r(request) == 0 else { return nil }
        return Connection(owning: request.pointee.ipcFd, isRegistered: isRegistered)
    }

    /// Frees what libfcgi allocated for a request that was read.
    mutating func free() {
        request.pointee.ipcFd = -1
        FCGX_Free(request, 0)
    }

    /// The request's id on its connection.
    var id: UInt16 { UInt16(truncatingIfNeeded: request.pointee.requestId) }

    /// Whether the request's role is responder, the only role that this server supports.
    var isForResponder: Bool { request.pointee.role == FCGI_RESPONDER }

    /// Whether the web server keeps the connection open for another request.
    var keepsConnection: Bool { request.pointee.keepConnection != 0 }

    /// The parameters: C strings `NAME=value`, terminated by nil. The first is libfcgi's own `FCGI_ROLE`.
    var parameters: FCGX_ParamArray { request.pointee.envp }

    /// The body's stream, which reads from the connection.
    var body: UnsafeMutablePointer<FCGX_Stream> { request.pointee.in }
}

extension FCGX_Stream {
    /// The number of buffered bytes. Reading more waits for the connection.
    var readyBytes: Int { stop - rdNext }
}
