import Glibc
import Synchronization
import TestServers

/// A server in place of workers that die during every request: it reads each request and closes the connection. In
/// place of slow workers, it reads each request and does not respond.
final class DyingWorker: Sendable {
    private let listener: Int32
    private let isSlow: Bool
    private let received = Mutex<[[String: String]]>([])

    /// The number of requests received.
    var requests: Int { received.withLock { $0.count } }

    /// The listeners that nginx has named.
    var listeners: Set<String> { values(of: "DIALTONE_LISTENER") }

    /// Returns the different values of a FastCGI parameter.
    func values(of parameter: String) -> Set<String> {
        received.withLock { Set($0.compactMap { $0[parameter] }) }
    }

    init(at path: String, isSlow: Bool = false) throws {
        self.isSlow = isSlow
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard isBound, listen(listener, 16) == 0 else { throw ServerFailure(description: "cannot listen on \(path)") }
        var thread = pthread_t()
        // The thread keeps the value alive until `stop()` ends it.
        let box = Unmanaged.passRetained(self).toOpaque()
        let started = pthread_create(
            &thread,
            nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<DyingWorker>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            },
            box
        )
        guard started == 0 else { throw ServerFailure(description: "no thread") }
        pthread_detach(thread)
    }

    /// Stops the server. Nothing responds afterwards.
    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    private func run() {
        var waiting: [Int32] = []
        defer { for descriptor in waiting + [listener] { close(descriptor) } }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while case let connection = accept(listener, nil, nil), connection >= 0 {
            let count = read(connection, &bytes, bytes.count)
            if count > 0 { received.withLock { $0.append(Self.parameters(in: bytes[..<count])) } }
            if isSlow { waiting.append(connection) } else { close(connection) }
        }
    }

    /// Returns the short parameters of a request, which follow BEGIN_REQUEST in the one record that nginx sends.
    private static func parameters(in request: ArraySlice<UInt8>) -> [String: String] {
        guard request.count > 24 else { return [:] }
        let length = Int(request[20]) << 8 | Int(request[21])
        var rest = request.dropFirst(24).prefix(length)
        var parameters: [String: String] = [:]
        while let nameLength = nextLength(&rest), let valueLength = nextLength(&rest) {
            let (name, value) = (rest.prefix(nameLength), rest.dropFirst(nameLength).prefix(valueLength))
            parameters[String(decoding: name, as: UTF8.self)] = String(decoding: value, as: UTF8.self)
            rest = rest.dropFirst(nameLength + valueLength)
        }
        return parameters
    }

    /// Returns the next length of a name-value pair: one byte, or four bytes of which the first has its highest bit
    /// set.
    private static func nextLength(_ bytes: inout ArraySlice<UInt8>) -> Int? {
        guard let first = bytes.first else { return nil }
        let count = first < 0x80 ? 1 : 4
        guard bytes.count >= count else { return nil }
        defer { bytes = bytes.dropFirst(count) }
        return bytes.prefix(count).reduce(0) { $0 << 8 | Int($1) } & 0x7FFF_FFFF
    }
}
