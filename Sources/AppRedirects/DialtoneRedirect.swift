// Copy this file into an app for Apple platforms (iOS 15, macOS 12, tvOS 15, watchOS 8, visionOS 1 or later; Swift 5.10
// or later). Besides FirebaseAuth, the app's target needs the product `GTMSessionFetcherCore`, from the package that
// FirebaseAuth uses for HTTP.

import Foundation
import Security

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif
#if canImport(GTMSessionFetcherCore)
    import GTMSessionFetcherCore
#else
    import GTMSessionFetcher
#endif

/// The redirect that sends the requests of the Firebase Authentication SDK for Apple platforms to a Dialtone server,
/// over TLS and with the SDK in production mode.
///
/// The SDK's HTTP library lets a process answer requests in its place. The redirect does this for requests to the hosts
/// of Firebase Authentication, with its own `URLSession`, and leaves all other requests unchanged.
enum DialtoneRedirect {
    /// Redirects the SDK's requests from now on. Call it before `FirebaseApp.configure()`. A later call replaces the
    /// server.
    /// - Parameters:
    ///   - server: the server's URL, `https://host` or `https://host:port`.
    ///   - certificates: if not empty, the server's chain must be valid and contain one of these certificates (DER).
    ///     Pin a certificate of the certificate authority, or both the server's current certificate and the next one.
    ///   - seconds: the timeout of a request, in seconds.
    /// - Throws: ``DialtoneRedirectError`` if the URL is anything else.
    static func install(
        _ server: String,
        pinning certificates: [Data] = [],
        within seconds: TimeInterval = 30
    ) throws {
        install(try Redirection(to: server), pinning: certificates, within: seconds)
    }

    static func install(_ redirection: Redirection, pinning certificates: [Data], within seconds: TimeInterval) {
        let session = URLSession(
            configuration: Redirection.sessionConfiguration(seconds: seconds),
            delegate: RedirectedSessionDelegate(certificates),
            delegateQueue: nil
        )
        GTMSessionFetcher.setGlobalTestBlock { fetcher, respond in
            guard let request = fetcher.request, let redirected = redirection.request(for: request, fetcher.bodyData)
            else { return respond(nil, nil, nil) }
            // The library calls it from any queue, but has no annotation that says so.
            nonisolated(unsafe) let respond = respond
            session.dataTask(with: redirected) { data, response, failure in
                let response = response as? HTTPURLResponse
                respond(response, data, Redirection.failure(failure as NSError?, response, data ?? Data()))
            }
            .resume()
        }
    }
}

/// The reason why requests cannot be redirected.
struct DialtoneRedirectError: Error, CustomStringConvertible {
    /// What is wrong, and what is expected.
    let description: String
}

/// The rule that determines which requests are redirected, and to which URL.
struct Redirection: Sendable {
    /// The server's scheme, host and port.
    let server: URLComponents
}

extension Redirection {
    init(to server: String) throws {
        guard let url = URLComponents(string: server), url.scheme?.lowercased() == "https",
            let host = url.percentEncodedHost, !host.isEmpty, ["", "/"].contains(url.path),
            url.user == nil, url.password == nil, url.query == nil, url.fragment == nil
        else { throw DialtoneRedirectError(description: "Expected https://host or https://host:port, not \(server)") }
        self.init(server: url)
    }

    /// Returns the redirected request; nil if the request is not one of Firebase Authentication.
    func request(for request: URLRequest, _ body: Data?) -> URLRequest? {
        guard let url = request.url, var parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
            Self.isOfAuthentication(parts)
        else { return nil }
        parts.scheme = server.scheme
        parts.percentEncodedHost = server.percentEncodedHost
        parts.port = server.port
        guard let url = parts.url else { return nil }
        var redirected = request
        redirected.url = url
        if let body { redirected.httpBody = body }
        return redirected
    }

    private static func isOfAuthentication(_ url: URLComponents) -> Bool {
        guard url.scheme?.lowercased() == "https", url.user == nil, url.password == nil, [nil, 443].contains(url.port)
        else { return false }
        switch url.host?.lowercased() {
        case "identitytoolkit.googleapis.com", "securetoken.googleapis.com": return true
        case "www.googleapis.com": return url.path.hasPrefix("/identitytoolkit/")
        default: return false
        }
    }

    /// Returns the error from which the SDK knows that a request failed or that the data describes an error; nil if the
    /// data is a result. The library takes an error whose code is from 200 to 399 for a success, whatever its domain.
    static func failure(_ error: NSError?, _ response: HTTPURLResponse?, _ data: Data) -> NSError? {
        if let error {
            guard (200...399).contains(error.code) else { return error }
            return NSError(domain: NSURLErrorDomain, code: NSURLErrorUnknown, userInfo: [NSUnderlyingErrorKey: error])
        }
        guard let status = response?.statusCode else {
            return NSError(domain: NSURLErrorDomain, code: NSURLErrorBadServerResponse)
        }
        switch status {
        case 200..<300: return nil
        case 300..<400: return NSError(domain: NSURLErrorDomain, code: NSURLErrorHTTPTooManyRedirects)
        default:
            return NSError(
                domain: kGTMSessionFetcherStatusDomain,
                code: status,
                userInfo: [kGTMSessionFetcherStatusDataKey: data]
            )
        }
    }

    /// Returns a configuration with a timeout, which stores nothing on the device.
    static func sessionConfiguration(seconds: TimeInterval) -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = seconds
        configuration.timeoutIntervalForResource = seconds
        configuration.httpCookieAcceptPolicy = .never
        configuration.urlCache = nil
        return configuration
    }
}

/// A session delegate that follows no redirects, which would send tokens to other hosts, and pins certificates.
final class RedirectedSessionDelegate: NSObject, URLSessionTaskDelegate, Sendable {
    private let certificates: [Data]

    init(_ certificates: [Data]) { self.certificates = certificates }

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
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard !certificates.isEmpty, let trust = challenge.protectionSpace.serverTrust else {
            return completionHandler(.performDefaultHandling, nil)
        }
        // The chain is complete only after an evaluation. The default handling evaluates it again.
        let isValid = SecTrustEvaluateWithError(trust, nil)
        let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate] ?? []
        let isPinned = chain.contains { certificates.contains(SecCertificateCopyData($0) as Data) }
        completionHandler(isValid && isPinned ? .performDefaultHandling : .cancelAuthenticationChallenge, nil)
    }
}
