import Glibc

/// Why a server cannot listen. Its description is one line for the operator.
public enum ListenError: Error, Hashable {
    /// Another process listens on the address.
    case inUse(ListenAddress)
    /// The path exists and is not a socket. It is not removed.
    case notASocket(ListenAddress)
    /// The descriptor is not a listening stream socket.
    case notListening(ListenAddress)
    /// The host name does not resolve to an address.
    case unresolved(ListenAddress, reason: String)
    /// systemd passed no socket to this process, or more than one.
    case notActivated(reason: String)
    /// A system call failed.
    case system(ListenAddress, call: String, error: Int32)
}

extension ListenError: CustomStringConvertible {
    /// The address, and what is wrong with it.
    public var description: String {
        switch self {
        case .inUse(let address): "cannot listen on \(address): another process listens there"
        case .notASocket(let address): "cannot listen on \(address): the file exists and is not a socket"
        case .notListening(let address): "cannot listen on \(address): the descriptor is not a listening stream socket"
        case .unresolved(let address, let reason): "cannot listen on \(address): \(reason)"
        case .notActivated(let reason): "cannot listen on systemd: \(reason)"
        case .system(let address, let call, let error):
            "cannot listen on \(address): \(call): \(String(cString: strerror(error)))"
        }
    }
}
