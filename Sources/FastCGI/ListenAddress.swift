/// Where a FastCGI server listens.
///
/// The written forms, for configuration files and command lines, are those of ``init(parsing:)``;
/// ``description`` gives them back.
public enum ListenAddress: Sendable, Hashable {
    /// A socket in the file system: the fastest, and guarded by file permissions.
    case unix(path: String)
    /// A TCP address. Port 0 lets the system choose one.
    case tcp(host: String, port: UInt16)
    /// A listening socket that the parent process opened and passed on.
    case inherited(descriptor: Int32)
    /// The one socket that systemd passed on (`LISTEN_FDS`, `LISTEN_PID`).
    case systemd
}

extension ListenAddress {
    /// Reads `unix:/run/x.sock`, `tcp:127.0.0.1:9000`, `tcp:[::1]:9000`, `fd:3` or `systemd`.
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
            case "tcp": Self.tcp(parsing: rest)
            case "fd": Self.decimal(rest).map { .inherited(descriptor: $0) }
            default: nil
            }
        guard let parsed else { throw ListenAddressError(text: text) }
        self = parsed
    }

    private static func tcp(parsing text: Substring) -> ListenAddress? {
        guard let colon = text.lastIndex(of: ":"), let port: UInt16 = decimal(text[text.index(after: colon)...])
        else { return nil }
        var host = text[..<colon]
        if host.first == "[", host.last == "]" {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil  // an IPv6 address without brackets: where its port begins is a guess
        }
        guard !host.isEmpty, !host.utf8.contains(0) else { return nil }
        return .tcp(host: String(host), port: port)
    }

    /// Digits only: the standard library's parser also takes a sign.
    private static func decimal<Number: FixedWidthInteger>(_ text: Substring) -> Number? {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Number(text) : nil
    }
}

extension ListenAddress: CustomStringConvertible {
    /// The written form.
    public var description: String {
        switch self {
        case .unix(let path): "unix:\(path)"
        case .tcp(let host, let port): host.contains(":") ? "tcp:[\(host)]:\(port)" : "tcp:\(host):\(port)"
        case .inherited(let descriptor): "fd:\(descriptor)"
        case .systemd: "systemd"
        }
    }
}
