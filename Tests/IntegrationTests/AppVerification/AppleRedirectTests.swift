import Foundation
import FoundationNetworking
import GTMSessionFetcherCore
import TestServers
import Testing

@testable import AppRedirects

/// A released app with the Apple SDK in production mode, whose requests to Google's hosts are redirected to Dialtone.
///
/// The SDK requires an Apple platform, so the tests make its requests with the interface of its HTTP library. They do
/// not use TLS, because Foundation on Linux trusts only the system's authorities.
@Suite(.serialized, .tags(.client), .sharedServer { try RunningServer(.production, workers: 1) })
struct AppleRedirectTests {
    private let server: RunningServer
    private let number = "+16505550188"
    private let code = "135790"

    init() throws {
        server = try #require(SharedServer.current)
        #expect(try server.dialtone("test-numbers", "set", number, code, "--project", "demo-dialtone").isFine)
        // Workers apply a changed test number within a second.
        let isKnown = try eventually {
            try server.post("/v1/accounts:sendVerificationCode", #"{"phoneNumber":"\#(number)"}"#).status == 200
        }
        #expect(isKnown)
    }

    @Test("an app signs in, sees refused codes, refreshes its token and reads its account")
    func signIn() async throws {
        redirect(to: server.port)
        let sent = try await post(
            "identitytoolkit.googleapis.com/v1/accounts:sendVerificationCode",
            ["phoneNumber": number]
        )
        var answer = ["sessionInfo": try sent.member("sessionInfo"), "code": "000000"]
        let wrong = try await post("identitytoolkit.googleapis.com/v1/accounts:signInWithPhoneNumber", answer)
        #expect(wrong.text.contains("INVALID_CODE"))
        let error = try #require(wrong.error)
        #expect(error.domain == kGTMSessionFetcherStatusDomain)
        #expect(error.code == 400)
        #expect(error.userInfo[kGTMSessionFetcherStatusDataKey] as? Data == wrong.data)

        answer["code"] = code
        let tokens = try await post("identitytoolkit.googleapis.com/v1/accounts:signInWithPhoneNumber", answer)
        let refreshed = try await post(
            "securetoken.googleapis.com/v1/token",
            ["grantType": "refresh_token", "refreshToken": try tokens.member("refreshToken")]
        )
        let account = try await post(
            "www.googleapis.com/identitytoolkit/v3/relyingparty/getAccountInfo",
            ["idToken": try refreshed.member("access_token")]
        )
        #expect(account.text.contains(number))
        #expect(account.error == nil)
    }

    @Test("requests to other hosts are not redirected")
    func otherHosts() async throws {
        redirect(to: FreePort.next())
        let answer = try await post("127.0.0.1:\(server.port)/v1/accounts:lookup", scheme: "http", [:])
        #expect(answer.text.contains("MISSING_ID_TOKEN") || answer.text.contains("INVALID_ID_TOKEN"))
    }

    @Test("a server that never responds costs an app no more than its deadline")
    func deadline() async throws {
        let silent = try RawServer { while $0.read() != nil {} }
        redirect(to: silent.port, within: 1)
        let answer = try await post("identitytoolkit.googleapis.com/v1/accounts:lookup", [:])
        #expect(answer.error?.domain == NSURLErrorDomain)
        #expect(answer.error?.code == NSURLErrorTimedOut)
    }

    // MARK: Support

    private struct Answer: Sendable {
        let data: Data?
        let error: NSError?

        var text: String { String(decoding: data ?? Data(), as: UTF8.self) }

        func member(_ name: String) throws -> String {
            let object = try #require(JSONSerialization.jsonObject(with: data ?? Data()) as? [String: Any])
            return try #require(object[name] as? String, "\(name)")
        }
    }

    private func redirect(to port: UInt16, within seconds: TimeInterval = 30) {
        var server = URLComponents()
        server.scheme = "http"
        server.host = "127.0.0.1"
        server.port = Int(port)
        DialtoneRedirect.install(Redirection(server: server), pinning: [], within: seconds)
    }

    private func post(_ url: String, scheme: String = "https", _ body: [String: String]) async throws -> Answer {
        let apiKey = RunningServer.apiKey
        var request = URLRequest(url: try #require(URL(string: "\(scheme)://\(url)?key=\(apiKey)")))
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue("com.example.app", forHTTPHeaderField: "X-Ios-Bundle-Identifier")
        let fetcher = GTMSessionFetcher(request: request)
        fetcher.bodyData = try JSONSerialization.data(withJSONObject: body)
        return await withCheckedContinuation { continuation in
            fetcher.beginFetch { data, error in
                continuation.resume(returning: Answer(data: data, error: error.map { $0 as NSError }))
            }
        }
    }
}
