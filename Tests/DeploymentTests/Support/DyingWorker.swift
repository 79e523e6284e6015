import Glibc
import Synchronization
import TestServers

/// Takes the place of workers that all die over every request: it reads each one and closes.
final class DyingWorker: Sendable {
    private let listener: Int32
    private let count = Atomic<Int>(0)

    /// How many requests it has been given.
    var requests: Int { count.load(ordering: .sequentiallyConsistent) }

    init(at path: String) throws {
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
        // The thread keeps the value alive until stop() ends it.
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

    /// Ends it; nobody answers afterwards.
    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    private func run() {
        defer { close(listener) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while case let connection = accept(listener, nil, nil), connection >= 0 {
            if read(connection, &bytes, bytes.count) > 0 { count.add(1, ordering: .sequentiallyConsistent) }
            close(connection)
        }
    }
}
