import Glibc

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
