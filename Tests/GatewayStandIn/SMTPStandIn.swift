public import APNsStandIn
public import Encodings
internal import Processes
internal import TestBrowser
internal import TestServers

/// An SMTP server on this machine, with the user `dialtone` and the password `secret`: see `smtp_server.py`. It stops
/// when the value is released.
public final class SMTPStandIn: Sendable {
    /// How the server uses TLS.
    public enum TLS: String, Sendable {
        case startTLS = "starttls"
        case implicit
        case none
    }

    /// The issuer of the server's certificate.
    public let authority: TestAuthority
    /// The URL of the server, at `localhost`: with STARTTLS unless TLS is implicit.
    public let url: String
    /// The TCP port on 127.0.0.1.
    public let port: UInt16
    private let server: ScriptServer

    /// Starts a server whose certificate has these names.
    public init(_ tls: TLS = .startTLS, names: String = "DNS:localhost,IP:127.0.0.1") throws {
        let authority = try TestAuthority()
        let identity = try authority.serverIdentity(names: names)
        let folder = #filePath.split(separator: "/").dropLast().joined(separator: "/")
        server = try ScriptServer("/\(folder)/smtp_server.py", argument: "") { folder in
            try folder.write(tls.rawValue, to: "tls")
            try folder.write(identity.certificate + identity.privateKey, to: "identity.pem")
        }
        self.authority = authority
        port = server.port
        url = "\(tls == .implicit ? "smtps" : "smtp")://localhost:\(server.port)"
    }

    /// Queues replies: a phase (mail, rcpt or data), and a reply line, `hang` or `drop`.
    public func queue(_ replies: String...) throws {
        try server.folder.write(replies.joined(separator: "\n"), to: "replies")
    }

    /// The accepted mails, as Python's parser reads them.
    public var mails: [JSONObject] {
        server.folder.read("mails").split(separator: "\n").compactMap { JSONObject(parsing: Array($0.utf8)) }
    }

    /// The number of connections, without the one that waited for the start.
    public var connectionCount: Int { server.folder.read("connections").split(separator: "\n").count - 1 }

    /// Stops the server and closes its connections.
    public func stop() { server.stop() }
}
