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

/// A reader of a request's body from libfcgi's input stream.
struct BodyReader {
    let stream: UnsafeMutablePointer<FCGX_Stream>
    let limits: ServerConfiguration

    /// Reads the body to the stream's end. Returns nil if the connection failed or was too slow.
    ///
    /// Only after the stream was read to its end is the connection at the start of the next request. Otherwise, the
    /// rest of a body could be parsed as a request (request smuggling).
    func read(announced: Int?) -> Request.Body? {
        if let announced, announced > limits.maxBodyBytes { return .tooLarge }
        if announced ?? 0 == 0 {
            let byte = FCGX_GetChar(stream)
            if byte < 0 { return FCGX_GetError(stream) == 0 ? .bytes([]) : nil }
            FCGX_UnGetChar(byte, stream)
        }
        let expected = announced ?? limits.maxBodyBytes
        var isLate = false
        // One byte more than expected, so that the read reaches the stream's end.
        let bytes = [UInt8](unsafeUninitializedCapacity: expected + 1) { buffer, count in
            count = read(into: UnsafeMutableRawBufferPointer(buffer), isLate: &isLate)
        }
        if bytes.count > expected { return .tooLarge }
        if isLate || FCGX_GetError(stream) != 0 { return nil }
        return announced.map { $0 == bytes.count } ?? true ? .bytes(bytes) : .incomplete
    }

    /// Fills the buffer up to the stream's end, with one read from the connection at a time. One deadline covers all
    /// reads, so a slow POST attack cannot hold the thread for one timeout per byte.
    private func read(into buffer: UnsafeMutableRawBufferPointer, isLate: inout Bool) -> Int {
        var deadline: ContinuousClock.Instant?
        var count = 0
        while count < buffer.count {
            let ready = stream.pointee.readyBytes
            let wanted = min(max(ready, 1), buffer.count - count)
            let got = FCGX_GetStr(
                buffer.baseAddress?.advanced(by: count).assumingMemoryBound(to: CChar.self),
                Int32(wanted),
                stream
            )
            guard got > 0 else { break }
            count += Int(got)
            if ready == 0 {
                if let deadline, deadline < .now {
                    isLate = true
                    break
                }
                deadline = deadline ?? .now + limits.ioTimeout
            }
        }
        return count
    }
}
