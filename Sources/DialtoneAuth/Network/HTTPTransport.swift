internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif
#if canImport(Darwin)
    internal import Security
#endif

/// A response from the server.
struct HTTPResponse: Sendable {
    let status: Int
    let body: Data
    /// The values of the header fields that this library reads, by their names in lower case.
    let headers: [String: String]
}

/// A transport that sends requests over one `URLSession`. It stores nothing on the device, follows no redirects, and
/// limits the size of responses.
final class HTTPTransport: Sendable {
    /// A response, such as an account with its second factors, has a few thousand bytes. On Linux, Foundation reads
    /// ahead of its delegate: there this limit bounds what is kept, and the deadline bounds what is read.
    static let longestBody = 1 << 20

    let pins: PublicKeyPins?
    private let session: URLSession
    private let exchanges: Exchanges

    /// Creates a transport.
    ///
    /// - Parameter pins: the public keys to accept; nil to accept every server that the system trusts.
    init(_ pins: PublicKeyPins?) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieAcceptPolicy = .never
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        self.pins = pins
        exchanges = Exchanges(pins)
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
    }

    deinit {
        // The session retains its delegate and its threads until it is invalidated.
        session.finishTasksAndInvalidate()
    }

    /// The number of pins that the server's current chain does not contain; nil before the first connection.
    var backupPinCount: Int? { exchanges.backupPinCount.withLock { $0 } }

    /// Sends a request.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - seconds: the deadline for receiving the whole response.
    /// - Returns: the response, whatever its status.
    /// - Throws: ``AuthErrorCode/networkError`` or `CancellationError`.
    func send(_ request: URLRequest, within seconds: TimeInterval) async throws -> HTTPResponse {
        var request = request
        // The deadline below ends the request, so the system's timeout must come later.
        request.timeoutInterval = seconds + 5
        let prepared = request
        return try await withDeadline(
            seconds: seconds,
            { AuthErrorCode.networkError.error("The server did not respond within \(Int(seconds)) seconds.") },
            { [session, exchanges] in
                let task = session.dataTask(with: prepared)
                let response = exchanges.begin(task)
                return try await withTaskCancellationHandler {
                    task.resume()
                    return try await response.value()
                } onCancel: {
                    task.cancel()
                }
            }
        )
    }
}

/// The requests in progress, and the delegate of their session.
private final class Exchanges: NSObject, URLSessionDataDelegate, Sendable {
    private struct Exchange: Sendable {
        let response: OneShot<HTTPResponse>
        var status = 0
        var headers: [String: String] = [:]
        var body = Data()
        var isTooLarge = false
        var refusal: PublicKeyPins.Refusal?
    }

    private static let readHeaders = ["date", "retry-after", "dialtone-reference", "age"]

    let backupPinCount = Locked<Int?>(nil)
    private let running = Locked<[Int: Exchange]>([:])
    private let pins: PublicKeyPins?

    init(_ pins: PublicKeyPins?) { self.pins = pins }

    func begin(_ task: URLSessionDataTask) -> OneShot<HTTPResponse> {
        let response = OneShot<HTTPResponse>()
        running.withLock { $0[task.taskIdentifier] = Exchange(response: response) }
        return response
    }

    /// Rejects redirects: Dialtone never redirects, and tokens must not be sent to another host.
    func urlSession(
        _: URLSession,
        task _: URLSessionTask,
        willPerformHTTPRedirection _: HTTPURLResponse,
        newRequest _: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(
        _: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let isAccepted = running.withLock { running -> Bool in
            guard let http = response as? HTTPURLResponse else { return false }
            running[dataTask.taskIdentifier]?.status = http.statusCode
            for name in Self.readHeaders {
                running[dataTask.taskIdentifier]?.headers[name] = http.value(forHTTPHeaderField: name)
            }
            return true
        }
        completionHandler(isAccepted ? .allow : .cancel)
    }

    func urlSession(_: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isTooLarge = running.withLock { running -> Bool in
            guard var exchange = running[dataTask.taskIdentifier] else { return false }
            if exchange.body.count + data.count > HTTPTransport.longestBody {
                exchange.isTooLarge = true
                exchange.body = Data()
            } else if !exchange.isTooLarge {
                exchange.body.append(data)
            }
            running[dataTask.taskIdentifier] = exchange
            return exchange.isTooLarge
        }
        if isTooLarge { dataTask.cancel() }
    }

    #if canImport(Darwin)
        // Not in an extension: Objective-C might not find the method, and then nothing would be pinned.

        /// Compares the server's chain with the pins. Without pins, only the system decides.
        func urlSession(
            _: URLSession,
            task: URLSessionTask,
            didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            // If the challenge is about the server's certificates, it has a trust object.
            guard let pins, let trust = challenge.protectionSpace.serverTrust else {
                return completionHandler(.performDefaultHandling, nil)
            }
            // The chain is complete only after an evaluation. The default handling evaluates it again.
            let isTrusted = SecTrustEvaluateWithError(trust, nil)
            let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate] ?? []
            let certificates = chain.map { Array(SecCertificateCopyData($0) as Data) }
            if isTrusted { backupPinCount.withLock { $0 = pins.backupCount(besides: certificates) } }
            guard let refusal = pins.refusal(of: certificates, isTrusted: isTrusted) else {
                return completionHandler(.performDefaultHandling, nil)
            }
            running.withLock { $0[task.taskIdentifier]?.refusal = refusal }
            completionHandler(.cancelAuthenticationChallenge, nil)
        }
    #endif

    func urlSession(_: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let exchange = running.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
        exchange.response.resolve(Self.result(of: exchange, error))
    }

    private static func result(of exchange: Exchange, _ error: (any Error)?) -> Result<HTTPResponse, any Error> {
        if let refusal = exchange.refusal {
            return .failure(AuthErrorCode.networkError.error(refusal.description))
        }
        if exchange.isTooLarge {
            return .failure(AuthErrorCode.internalError.error("The server's response is too large. Check the URL."))
        }
        if let error {
            // The error's description may quote the URL, which contains no secrets, but nothing else of the request.
            return .failure(AuthErrorCode.networkError.error(info: [NSUnderlyingErrorKey: error]))
        }
        guard exchange.status != 0 else { return .failure(AuthErrorCode.networkError.error()) }
        return .success(HTTPResponse(status: exchange.status, body: exchange.body, headers: exchange.headers))
    }
}
