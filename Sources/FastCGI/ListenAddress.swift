internal import Encodings

/// The address on which a FastCGI server listens.
///
/// ``init(parsing:)`` parses the text form in configuration files and command lines; ``description`` returns it.
public enum ListenAddress: Sendable, Hashable {
    /// A Unix domain socket: the fastest, and protected by file permissions.
    case unix(path: String)
    /// A TCP address. With port 0 the system chooses a port.
    case tcp(host: String, port: UInt16)
    /// A listening socket inherited from the parent process.
    case inherited(descriptor: Int32)
    /// The one socket that systemd passed (socket activation: `LISTEN_FDS`, `LISTEN_PID`).
    case systemd
}

extension ListenAddress {
    /// Parses `unix:/run/x.sock`, `tcp:127.0.0.1:9000`, `tcp:[::1]:9000`, `fd:3` or `systemd`.
    public init(parsing text: String) throws(ListenAddressError) {
        if text == "systemd" {
            self = .systemd
            return
        }
        guard let colon = text.firstIndex(of: ":") else { throw ListenAddressError(text: text) }
        let rest = text[text.index(after: colon)...]
        let parsed: ListenAddress? =
            switch text[..<colon] {
            case "unix": rest.isEmpty || rest.utf8.contains(0) ? nil : .unix(path: String(rest))
            case "tcp": HostAndPort(rest).flatMap(Self.tcp)
            case "fd": rest.isASCIIDigits ? Int32(rest).map { .inherited(descriptor: $0) } : nil
            default: nil
            }
        guard let parsed else { throw ListenAddressError(text: text) }
        self = parsed
    }

    private static func tcp(_ address: HostAndPort) -> ListenAddress? {
        address.port.map { .tcp(host: String(address.host), port: $0) }
    }
}

extension ListenAddress: CustomStringConvertible {
    /// The text form.
    public var description: String {
        switch self {
        case .unix(let path): "unix:\(path)"
        case .tcp(let host, let port): host.contains(":") ? "tcp:[\(host)]:\(port)" : "tcp:\(host):\(port)"
        case .inherited(let descriptor): "fd:\(descriptor)"
        case .systemd: "systemd"
        }
    }
}

/// The error for an invalid listen address.
public struct ListenAddressError: Error, Hashable, CustomStringConvertible {
    /// The invalid text.
    public let text: String

    package init(text: String) {
        self.text = text
    }

    /// One line with the valid forms.
    public var description: String {
        "\"\(text)\" is not a listen address: use unix:PATH, tcp:HOST:PORT, tcp:[IPV6]:PORT, fd:NUMBER or systemd"
    }
}
