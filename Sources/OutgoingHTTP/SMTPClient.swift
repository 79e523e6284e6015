internal import CCurl
public import Encodings
internal import Threads

/// A client of one SMTP server (RFC 5321), which keeps one connection.
///
/// While libcurl waits for the reply to a mail's content, it blocks, so the client has a thread of its own. Mails wait
/// for each other.
public actor SMTPClient {
    private let executor = BlockingExecutor(name: "smtp")
    private let server: SMTPServer
    private let deadline: Duration
    private let trustedCertificates: String?
    private var session: SMTPSession?

    /// The thread of the connection.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Creates a client, which connects when it is needed.
    ///
    /// - Parameters:
    ///   - server: the server.
    ///   - trustRoots: the authorities of its certificate.
    ///   - deadline: the time for one mail, from connecting to the server's last reply.
    /// - Throws: ``UnreadableTrustRoots``
    public init(
        _ server: SMTPServer,
        trusting trustRoots: TrustRoots,
        deadline: Duration = .seconds(10)
    ) throws(UnreadableTrustRoots) {
        self.server = server
        self.deadline = deadline
        trustedCertificates = try trustRoots.read()
    }

    /// Sends a mail.
    ///
    /// - Parameters:
    ///   - content: the mail (RFC 5322) with CRLF line breaks.
    ///   - sender: the address for errors.
    ///   - recipient: the recipient's address.
    /// - Throws: ``SMTPFailure``
    public func send(
        _ content: [UInt8],
        from sender: String,
        to recipient: String
    ) throws(SMTPFailure) {
        try perform { session in session.send(content, from: sender, to: recipient, within: deadline) }
    }

    /// Connects and signs in, without a mail.
    /// - Throws: ``SMTPFailure``
    public func check() throws(SMTPFailure) {
        try perform { session in session.check(within: deadline) }
    }

    private func perform(_ exchange: (SMTPSession) -> SMTPFailure?) throws(SMTPFailure) {
        let current = session ?? SMTPSession(server, trustedCertificates)
        session = current
        guard let current else { throw .unanswered(RequestFailure(.connectionLost, mayBeSent: false)) }
        if let failure = exchange(current) { throw failure }
    }
}

/// An SMTP server, and an account there.
public struct SMTPServer: Sendable, Confidential {
    let url: String
    let login: (user: String, password: String)?
    private let isLoopback: Bool

    /// Creates a server.
    ///
    /// - Parameters:
    ///   - url: `smtps://host:port`; or `smtp://host:port` for a server that offers STARTTLS, which is then required. A
    ///     server at a loopback address is used without TLS. The name for EHLO may follow as the path; by default it is
    ///     the machine's name.
    ///   - login: the user name and password; nil for none.
    /// - Throws: ``ServiceURLError``
    public init(_ url: String, login: (user: String, password: String)? = nil) throws(ServiceURLError) {
        let schemes = [("smtps://", 465, "https://"), ("smtp://", 587, "http://")]
        guard let (scheme, port, web) = schemes.first(where: { url.hasPrefix($0.0) }) else { throw .malformed }
        let rest = url.dropFirst(scheme.utf8.count)
        let authority = rest.prefix { $0 != "/" }
        let name = rest.dropFirst(authority.utf8.count)
        _ = try ServiceURL("https://" + rest)
        let isPlain = rest.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "/.-:[]".utf8.contains($0) }
        guard isPlain else { throw .malformed }
        isLoopback = web == "http://" && (try? ServiceURL("http://" + rest, allowsPlainLoopback: true)) != nil
        self.url = HostAndPort(authority)?.port == nil ? "\(scheme)\(authority):\(port)\(name)" : url
        self.login = login
    }

    /// How libcurl uses TLS: with implicit TLS, the option has no effect.
    var tls: curl_usessl { isLoopback ? CURLUSESSL_NONE : CURLUSESSL_ALL }
}

/// Why a mail was not accepted.
public enum SMTPFailure: Error, Hashable, Sendable {
    /// The server rejected the user name or the password, or requires them.
    case loginRefused(code: Int)
    /// The server's negative reply: 4xx for now, 5xx for good.
    case refused(code: Int)
    /// There was no reply.
    case unanswered(RequestFailure)
}

/// A connection to a server, which opens again when it is lost: a libcurl easy handle.
private final class SMTPSession: CurlTransfer {
    let easy: UnsafeMutableRawPointer
    /// The rest of the content that libcurl has not read.
    private var unread: ArraySlice<UInt8> = []

    init?(_ server: SMTPServer, _ trustedCertificates: String?) {
        guard HTTPLibrary.isLoaded, let easy = ccurl_easy_init() else { return nil }
        self.easy = easy
        guard
            set(CURLOPT_NOSIGNAL, 1), set(CURLOPT_QUICK_EXIT, 1), set(CURLOPT_PROTOCOLS_STR, "smtp,smtps"),
            set(CURLOPT_URL, server.url), set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1), set(CURLOPT_PROXY, ""),
            set(CURLOPT_USE_SSL, Int(server.tls.rawValue)), setTrust(trustedCertificates), set(CURLOPT_MAXCONNECTS, 1),
            // Servers end idle connections after minutes, but NAT gateways may drop them earlier.
            set(CURLOPT_MAXAGE_CONN, 30), set(CURLOPT_USERNAME, server.login?.user),
            set(CURLOPT_PASSWORD, server.login?.password)
        else { return nil }
    }

    deinit {
        ccurl_stop_reading(easy)
        ccurl_easy_cleanup(easy)
    }

    func send(
        _ content: [UInt8],
        from sender: String,
        to recipient: String,
        within deadline: Duration
    ) -> SMTPFailure? {
        let list = ccurl_slist_append(nil, recipient)
        defer { ccurl_slist_free_all(list) }
        unread = content[...]
        let read: curl_read_callback = { buffer, size, count, context in
            guard let buffer, let context else { return 0 }
            return Unmanaged<SMTPSession>.fromOpaque(context).takeUnretainedValue()
                .read(UnsafeMutableRawBufferPointer(start: buffer, count: size * count))
        }
        let context = Unmanaged.passUnretained(self).toOpaque()
        guard let list, set(CURLOPT_NOBODY, 0), set(CURLOPT_MAIL_FROM, sender),
            ccurl_set_list(easy, CURLOPT_MAIL_RCPT, list) != 0,
            ccurl_set_upload(easy, read, context, content.count) != 0
        else { return .unanswered(RequestFailure(.connectionLost, mayBeSent: false)) }
        // libcurl keeps the pointer to the list.
        defer { _ = ccurl_set_list(easy, CURLOPT_MAIL_RCPT, nil) }
        return perform(within: deadline)
    }

    func check(within deadline: Duration) -> SMTPFailure? {
        unread = [0]
        guard set(CURLOPT_UPLOAD, 0), set(CURLOPT_NOBODY, 1), set(CURLOPT_CUSTOMREQUEST, "NOOP") else {
            return .unanswered(RequestFailure(.connectionLost, mayBeSent: false))
        }
        defer { _ = set(CURLOPT_CUSTOMREQUEST, nil) }
        return perform(within: deadline)
    }

    private func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        let part = unread.prefix(buffer.count)
        buffer.copyBytes(from: part)
        unread = unread.dropFirst(part.count)
        return part.count
    }

    private func perform(within deadline: Duration) -> SMTPFailure? {
        guard set(CURLOPT_TIMEOUT_MS, Int(deadline.milliseconds)),
            set(CURLOPT_SERVER_RESPONSE_TIMEOUT, Int(max(1, deadline.components.seconds)))
        else { return .unanswered(RequestFailure(.connectionLost, mayBeSent: false)) }
        let code = ccurl_easy_perform(easy)
        guard code != CURLE_OK else { return nil }
        let reply = ccurl_long(easy, CURLINFO_RESPONSE_CODE)
        switch reply {
        case 500... where code == CURLE_LOGIN_DENIED: return .loginRefused(code: reply)
        // Authentication is required, too weak, or refused (RFC 4954 § 6).
        case 530, 534, 535, 538: return .loginRefused(code: reply)
        case 400...: return .refused(code: reply)
        default: break
        }
        // The server offers none of libcurl's mechanisms.
        if code == CURLE_LOGIN_DENIED { return .loginRefused(code: reply) }
        let errno = ccurl_long(easy, CURLINFO_OS_ERRNO)
        // libcurl would reuse a connection whose reply to a mail is missing, and take that reply for the next mail's.
        ccurl_stop_reading(easy)
        // A mail is complete, and may be accepted, only once libcurl has read all of it.
        return .unanswered(RequestFailure(TransportFailure(code, errno: errno), mayBeSent: unread.isEmpty))
    }
}
