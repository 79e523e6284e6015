internal import CCurl
internal import Cryptography
internal import Encodings
internal import Glibc

/// An exchange in progress: a libcurl easy handle. Only the loop's thread may use it.
final class Transfer: CurlTransfer {
    let exchange: Exchange
    let origin: String
    let easy: UnsafeMutableRawPointer
    /// Whether libcurl has begun to send the request.
    private(set) var mayBeSent = false
    /// How often libcurl reported progress before it began to send the request.
    private var stepsToRequest = 0
    /// Whether the deadline passed while libcurl was still reading.
    private var isOverdue = false
    private let onOpenSocket: (Int32) -> Void
    private var answer = AnswerReader()
    private var headerList: UnsafeMutablePointer<curl_slist>?

    /// Creates a transfer. Returns nil if the request is not valid HTTP, or if memory is exhausted.
    ///
    /// - Parameters:
    ///   - exchange: the exchange.
    ///   - origin: the scheme, host and port of the request's URL.
    ///   - onOpenSocket: receives each socket that libcurl opens for a connection.
    init?(_ exchange: Exchange, _ origin: String, _ onOpenSocket: @escaping (Int32) -> Void) {
        guard let easy = ccurl_easy_init() else { return nil }
        self.exchange = exchange
        self.origin = origin
        self.easy = easy
        self.onOpenSocket = onOpenSocket
        guard setOptions() else { return nil }
    }

    deinit {
        ccurl_easy_cleanup(easy)
        ccurl_slist_free_all(headerList)
    }

    /// Returns the transfer of an easy handle.
    static func of(_ easy: UnsafeMutableRawPointer) -> Transfer? { ccurl_context(easy).map(at) }

    private static func at(_ context: UnsafeMutableRawPointer) -> Transfer {
        Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    }

    /// Maps libcurl's result to an outcome.
    func outcome(_ code: CURLcode) -> Exchange.Outcome {
        if let answer = answer.finished(isComplete: code == CURLE_OK) { return .success(answer) }
        if isOverdue || code == CURLE_OPERATION_TIMEDOUT {
            return .failure(RequestFailure(.timedOut, mayBeSent: mayBeSent))
        }
        if mayBeSent { return .failure(RequestFailure(.connectionLost, mayBeSent: true)) }
        let errno = ccurl_long(easy, CURLINFO_OS_ERRNO)
        return .failure(RequestFailure(TransportFailure(code, errno: errno), mayBeSent: false))
    }

    private func setOptions() -> Bool {
        setGeneral() && setTLS() && setProxy() && setRequest() && setCallbacks()
    }

    private func setGeneral() -> Bool {
        let configuration = exchange.settings.configuration
        let version = configuration.version == .http2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1
        return set(CURLOPT_NOSIGNAL, 1)
            // Without this option, cancelling a transfer waits for name resolution, which takes seconds if the name
            // server does not respond.
            && set(CURLOPT_QUICK_EXIT, 1)
            && set(CURLOPT_PROTOCOLS_STR, "http,https")
            && set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
            && set(CURLOPT_PATH_AS_IS, 1)
            && set(CURLOPT_HTTP_VERSION, Int(version))
            && set(CURLOPT_PIPEWAIT, configuration.version == .http2 ? 1 : 0)
            && set(CURLOPT_CONNECTTIMEOUT_MS, Int(clamping: max(1, configuration.connectDeadline.milliseconds)))
            // libcurl compares whole elapsed seconds, and still reuses a connection whose age equals the limit.
            && set(CURLOPT_MAXAGE_CONN, Int(clamping: max(0, configuration.maximumIdleTime.components.seconds - 1)))
    }

    private func setTLS() -> Bool {
        let configuration = exchange.settings.configuration
        guard setTrust(configuration.trustedCertificates) else { return false }
        guard let identity = configuration.identity else { return true }
        return set(CURLOPT_SSLCERT_BLOB, blob: identity.certificates)
            && set(CURLOPT_SSLKEY_BLOB, blob: identity.privateKey)
    }

    /// Plain HTTP bypasses the proxy, because it stays on this machine. The empty strings keep libcurl from reading
    /// environment variables.
    private func setProxy() -> Bool {
        guard set(CURLOPT_NOPROXY, "") else { return false }
        guard let proxy = exchange.settings.configuration.proxy, exchange.request.url.hasPrefix("https://") else {
            return set(CURLOPT_PROXY, "")
        }
        guard
            set(CURLOPT_PROXY, proxy.url), set(CURLOPT_HTTPPROXYTUNNEL, 1), set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1),
            set(CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE))
        else { return false }
        guard let credentials = proxy.credentials else { return true }
        return set(CURLOPT_PROXYUSERNAME, credentials.user) && set(CURLOPT_PROXYPASSWORD, credentials.password)
    }

    private func setRequest() -> Bool {
        let request = exchange.request
        guard request.url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), set(CURLOPT_URL, request.url) else {
            return false
        }
        switch request.method {
        case .get: guard set(CURLOPT_HTTPGET, 1) else { return false }
        case .post:
            guard set(CURLOPT_POST, 1), ccurl_set_body(easy, request.body, request.body.count) != 0 else {
                return false
            }
        }
        return setHeaders(request.headers)
    }

    private func setHeaders(_ headers: HTTPHeaderFields) -> Bool {
        // A field name without a value removes a field that libcurl adds by itself.
        var lines = ["Expect:"]
        for name in ["Accept", "Content-Type"] where headers.first(name: name) == nil { lines.append("\(name):") }
        for (name, value) in headers.fields {
            guard Self.isToken(name), Self.isFieldValue(value) else { return false }
            lines.append(value.isEmpty ? "\(name);" : "\(name): \(value)")
        }
        for line in lines {
            guard let list = ccurl_slist_append(headerList, line) else { return false }
            headerList = list
        }
        return ccurl_set_list(easy, CURLOPT_HTTPHEADER, headerList) != 0
    }

    /// Returns whether the name is a token (RFC 9110 § 5.6.2).
    private static func isToken(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "!#$%&'*+-.^_`|~".utf8.contains($0) }
    }

    /// Returns whether the value has no control characters except tab (RFC 9110 § 5.5).
    private static func isFieldValue(_ value: String) -> Bool {
        value.utf8.allSatisfy { ($0 >= 0x20 && $0 != 0x7F) || $0 == UInt8(ascii: "\t") }
    }

    private func setCallbacks() -> Bool {
        let callbacks = ccurl_callbacks(
            on_header: { bytes, size, count, context in
                guard let bytes, let context else { return 0 }
                let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
                return Transfer.at(context).answer.readHeader(line) ? line.count : 0
            },
            on_body: { bytes, size, count, context in
                guard let bytes, let context else { return 0 }
                let part = UnsafeRawBufferPointer(start: bytes, count: size * count)
                return Transfer.at(context).answer.readBody(part) ? part.count : 0
            },
            before_request: { context, _, _, _, _ in
                guard let context else { return CURL_PREREQFUNC_ABORT }
                return Transfer.at(context).beginRequest() ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
            },
            open_socket: { context, _, address in
                guard let context, let address, !Transfer.at(context).mayBeSent else { return -1 }
                let socket = ccurl_socket(address)
                if socket >= 0 { Transfer.at(context).onOpenSocket(socket) }
                return socket
            },
            before_resolving: { _, _, context in
                guard let context else { return 1 }
                return Transfer.at(context).mayBeSent ? 1 : 0
            },
            on_progress: { context, _, _, _, _ in
                guard let context else { return 1 }
                return Transfer.at(context).mayContinue() ? 0 : 1
            }
        )
        return ccurl_set_callbacks(easy, callbacks, Unmanaged.passUnretained(self).toOpaque()) != 0
    }

    /// Records that the request is about to be sent, and returns whether it may be sent.
    ///
    /// If a reused connection ends without a response, libcurl retries the request, even a POST, although the server
    /// may have received it. The retry is stopped here at the latest, but usually earlier, when libcurl resolves the
    /// name or opens a connection.
    private func beginRequest() -> Bool {
        defer { mayBeSent = true }
        return !mayBeSent
    }

    /// More steps than a connection takes even if a proxy responds with 16 KiB: each byte of the response is a step.
    private static let maximumStepsToRequest = 32 * 1024

    /// Returns whether libcurl may continue.
    ///
    /// If a proxy is fast enough, libcurl reads its error response to the end before it returns to the loop. An endless
    /// response would block the requests of all clients, and their deadlines.
    private func mayContinue() -> Bool {
        if exchange.deadline <= .now { isOverdue = true }
        if !mayBeSent { stepsToRequest += 1 }
        return !isOverdue && stepsToRequest <= Self.maximumStepsToRequest
    }
}
