import Foundation
import FoundationNetworking
import GTMSessionFetcherCore
import Testing

@testable import AppRedirects

@Suite struct RedirectionTests {
    private let redirection: Redirection

    init() throws { redirection = try Redirection(to: "https://auth.example.com:8443") }

    @Test(
        "requests to Firebase Authentication go to the server, with path and query unchanged",
        arguments: [
            ("https://identitytoolkit.googleapis.com/v1/accounts:lookup?key=k", "/v1/accounts:lookup?key=k"),
            ("https://securetoken.googleapis.com/v1/token?key=k", "/v1/token?key=k"),
            (
                "https://www.googleapis.com/identitytoolkit/v3/relyingparty/getAccountInfo?key=a%2Fb%20c",
                "/identitytoolkit/v3/relyingparty/getAccountInfo?key=a%2Fb%20c"
            ),
            ("https://IdentityToolkit.googleapis.com:443/v2/recaptchaConfig", "/v2/recaptchaConfig"),
            ("https://identitytoolkit.googleapis.com//host/%2e%2e/x", "//host/%2e%2e/x"),
        ]
    )
    func destination(url: String, target: String) throws {
        #expect(try redirected(url)?.url?.absoluteString == "https://auth.example.com:8443\(target)")
    }

    @Test(
        "other requests are not redirected",
        arguments: [
            "https://www.googleapis.com/robot/v1/metadata/x509/a", "https://firebaseinstallations.googleapis.com/v1/a",
            "https://identitytoolkit.googleapis.com.example.com/v1/a",
            "https://example.com/identitytoolkit.googleapis.com",
            "https://identitytoolkit.googleapis.com:8443/v1/a", "http://identitytoolkit.googleapis.com/v1/a",
            "https://user@identitytoolkit.googleapis.com/v1/a",
            "https://identitytoolkit.googleapis.com@example.com/v1/a",
            "https://www.googleapis.com/identitytoolkit", "data:,identitytoolkit.googleapis.com",
        ]
    )
    func others(url: String) throws {
        #expect(try redirected(url) == nil)
    }

    @Test("method, headers and body are passed on")
    func content() throws {
        let redirected = try #require(try redirected("https://identitytoolkit.googleapis.com/v1/a", Data("{}".utf8)))
        #expect(redirected.httpMethod == "POST")
        #expect(redirected.value(forHTTPHeaderField: "X-Ios-Bundle-Identifier") == "com.example.app")
        #expect(redirected.httpBody == Data("{}".utf8))
    }

    @Test(
        "a server is a host with an optional port",
        arguments: ["https://a.example", "HTTPS://a.example:1/", "https://[::1]:2"]
    )
    func servers(url: String) throws {
        _ = try Redirection(to: url)
    }

    @Test(
        "any other URL is refused, and the error quotes it",
        arguments: [
            "", "auth.example.com", "http://auth.example.com", "https://", "https:///v1", "https://auth.example.com/v1",
            "https://auth.example.com?a=1", "https://auth.example.com#a", "https://user:pass@auth.example.com",
        ]
    )
    func faults(url: String) {
        let error = #expect(throws: DialtoneRedirectError.self) { try DialtoneRedirect.install(url) }
        #expect(error?.description.hasSuffix("not \(url)") == true)
    }

    @Test("a status from 400 on is an error that contains the body", arguments: [400, 429, 503])
    func statusErrors(status: Int) throws {
        let error = try #require(Redirection.failure(nil, try response(status), Data("body".utf8)))
        #expect(error.domain == kGTMSessionFetcherStatusDomain)
        #expect(error.code == status)
        #expect(error.userInfo[kGTMSessionFetcherStatusDataKey] as? Data == Data("body".utf8))
    }

    @Test("a status below 300 is not an error", arguments: [200, 204])
    func success(status: Int) throws {
        #expect(Redirection.failure(nil, try response(status), Data()) == nil)
    }

    @Test(
        "redirects, and errors whose code is a status of success, are failures that the library does not take for one",
        arguments: [(302, nil), (304, nil), (200, 310), (nil, 302), (nil, -1001), (nil, nil)] as [(Int?, Int?)]
    )
    func failures(status: Int?, code: Int?) throws {
        let error = code.map { NSError(domain: "kCFErrorDomainCFNetwork", code: $0) }
        let failure = try #require(Redirection.failure(error, try status.map(response), Data()))
        #expect(failure.code < 0 && failure.domain != kGTMSessionFetcherStatusDomain)
    }

    @Test("requests have deadlines, and neither responses nor cookies are stored")
    func configuration() {
        let configuration = Redirection.sessionConfiguration(seconds: 7)
        #expect(configuration.timeoutIntervalForRequest == 7)
        #expect(configuration.timeoutIntervalForResource == 7)
        #expect(configuration.urlCache == nil)
        #expect(configuration.httpCookieAcceptPolicy == .never)
    }

    @Test("redirects by the server are not followed")
    func redirections() async throws {
        let url = try #require(URL(string: "https://auth.example.com/"))
        let task = URLSession.shared.dataTask(with: url)
        let response = try response(302)
        let followed: URLRequest? = await withCheckedContinuation { continuation in
            RedirectedSessionDelegate([]).urlSession(
                .shared,
                task: task,
                willPerformHTTPRedirection: response,
                newRequest: URLRequest(url: url)
            ) { continuation.resume(returning: $0) }
        }
        #expect(followed == nil)
    }

    private func redirected(_ url: String, _ body: Data? = nil) throws -> URLRequest? {
        var request = URLRequest(url: try #require(URL(string: url)))
        request.httpMethod = "POST"
        request.setValue("com.example.app", forHTTPHeaderField: "X-Ios-Bundle-Identifier")
        return redirection.request(for: request, body)
    }

    private func response(_ status: Int) throws -> HTTPURLResponse {
        let url = try #require(URL(string: "https://auth.example.com/"))
        return try #require(HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/2", headerFields: nil))
    }
}
