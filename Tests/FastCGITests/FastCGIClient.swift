import FastCGI
import Glibc

/// The web server's side of FastCGI: a connection that sends records and reads responses.
final class FastCGIClient: Sendable {
    struct ConnectFailure: Error { let error: Int32 }

    let descriptor: Int32

    init(_ address: ListenAddress) throws {
        switch address {
        case .unix(let path):
            descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            var name = sockaddr_un()
            name.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path.utf8) }
            try connect(to: &name)
        case .tcp(_, let port):
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            var name = sockaddr_in()
            name.sin_family = sa_family_t(AF_INET)
            name.sin_port = port.bigEndian
            name.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
            try connect(to: &name)
        case .inherited, .systemd:
            throw ConnectFailure(error: EINVAL)
        }
    }

    deinit {
        close(descriptor)
    }

    private func connect<Name>(to name: inout Name) throws {
        let size = socklen_t(MemoryLayout<Name>.size)
        let result = withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(descriptor, $0, size) }
        }
        guard result == 0 else { throw ConnectFailure(error: errno) }
    }

    /// Sends all bytes, and returns false if the server accepts no more.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let result = bytes.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress?.advanced(by: sent), $0.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard result > 0 else { return false }
            sent += result
        }
        return true
    }

    /// Sends a request and reads its response.
    func exchange(_ request: RequestRecords, within limit: Duration = .seconds(60)) -> Answer? {
        send(request.bytes) ? receive(within: limit) : nil
    }

    /// Reads records to the end of the request. Returns nil if the connection ends first or the time is over.
    func receive(within limit: Duration = .seconds(60)) -> Answer? {
        setReceiveTimeout(limit)
        var output: [UInt8] = []
        while let header = read(8), header[0] == 1 {
            let content = Int(header[4]) << 8 | Int(header[5])
            guard let body = read(content), read(Int(header[6])) != nil else { return nil }
            switch header[1] {
            case 6: output += body
            case 3: return Answer(requestID: UInt16(header[2]) << 8 | UInt16(header[3]), output: output)
            case 10: continue  // the end-of-stream record after an earlier response
            default: return nil
            }
        }
        return nil
    }

    /// Returns whether the next bytes are the empty management record that keeps nginx from reusing the connection.
    func receiveEndOfStream(within limit: Duration = .seconds(60)) -> Bool {
        setReceiveTimeout(limit)
        return read(8) == [1, 10, 0, 0, 0, 0, 0, 0]
    }

    /// Whether the server has sent unread bytes or has closed the connection.
    var isReadable: Bool {
        var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&state, 1, 0) == 1
    }

    /// Returns whether the server closes the connection in time without another response. Management records do not
    /// count.
    func isEnded(within limit: Duration = .seconds(60)) -> Bool {
        setReceiveTimeout(limit)
        while let record = read(8) {
            guard record[1] == 10, record[2...5].allSatisfy({ $0 == 0 }) else { return false }
        }
        return errno != EAGAIN
    }

    private func read(_ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var got = 0
        while got < count {
            errno = 0
            let result = bytes.withUnsafeMutableBytes {
                recv(descriptor, $0.baseAddress?.advanced(by: got), count - got, 0)
            }
            guard result > 0 else { return nil }
            got += result
        }
        return bytes
    }

    private func setReceiveTimeout(_ limit: Duration) {
        let (seconds, attoseconds) = limit.components
        var value = timeval(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &value, socklen_t(MemoryLayout<timeval>.size))
    }
}
