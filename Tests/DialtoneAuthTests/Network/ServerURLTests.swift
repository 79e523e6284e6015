import Foundation
import Processes
import Testing

@testable import DialtoneAuth

@Suite struct ServerURLTests {
    @Test(
        "a server is https with a host, or http on this machine",
        arguments: [
            "https://auth.example.com", "HTTPS://auth.example.com:8443/", "http://127.0.0.1:9099", "http://localhost",
            "http://[::1]:9099", "http://127.9.9.9",
        ]
    )
    func accepted(url: String) throws {
        #expect(ServerURL(try #require(URL(string: url))) != nil)
    }

    @Test(
        "plain http to other machines, paths, credentials and queries are refused, and the error says so",
        arguments: [
            "http://auth.example.com", "http://127.0.0.1.example.com", "http://localhost.example.com",
            "http://128.0.0.1", "ftp://auth.example.com", "https://auth.example.com/v1", "https://a:b@auth.example.com",
            "https://auth.example.com?a=1", "https://auth.example.com#a", "auth.example.com", "https://",
            "https://auth.example.com:0", "https://auth.example.com:99999",
        ]
    )
    func refused(url: String) async throws {
        let app = try TestApp(url)
        let diagnosis = try #require(await app.auth.diagnose().first)
        #expect(!diagnosis.isFine)
        await #expect(throws: (any Error).self) { try await app.auth.signInAnonymously() }
    }

    @Test("without a configuration, calls fail with an error that says what to do, and do not crash")
    func missing() async throws {
        let app = DialtoneApp(name: "none", options: DialtoneOptions(url: nil, apiKey: ""), store: nil)
        let auth = Auth(app)
        do {
            _ = try await PhoneAuthProvider.provider(auth: auth).verifyPhoneNumber("+16505550101")
            Issue.record("no error")
        } catch {
            #expect(AuthErrorCode(error) == .internalError)
            #expect(error.localizedDescription.contains("DIALTONE_URL"))
        }
    }

    @Test("an API key or a bundle ID that cannot be a header field is refused", arguments: ["k\n", "k\r\nX: 1", "ké"])
    func headerFields(text: String) {
        let url = URL(string: "https://auth.example.com")
        #expect(DialtoneOptions(url: url, apiKey: text).fault != nil)
        #expect(DialtoneOptions(url: url, apiKey: "k", bundleID: text).fault != nil)
        #expect(DialtoneOptions(url: url, apiKey: "k", bundleID: "com.example.app").fault == nil)
    }

    @Test("a query is encoded so that servers decode it correctly")
    func query() throws {
        let server = try #require(URL(string: "https://auth.example.com").flatMap(ServerURL.init))
        let url = try #require(server.url(path: "/__/auth/handler", query: [("a", "1+2&3=4 é")]))
        #expect(url.absoluteString == "https://auth.example.com/__/auth/handler?a=1%2B2%263%3D4%20%C3%A9")
    }

    @Test("GoogleService-Info.plist with DIALTONE_URL configures an app")
    func propertyList() throws {
        let app = try TestApp("https://auth.example.com")
        let path = app.folder.path(of: "GoogleService-Info.plist")
        let list = ["API_KEY": "k", "DIALTONE_URL": "https://auth.example.com", "GOOGLE_APP_ID": "1:1:ios:a"]
        try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
            .write(to: URL(fileURLWithPath: path))
        let options = try #require(DialtoneOptions(contentsOfFile: path))
        #expect(options.fault == nil)
        #expect(options.googleAppID == "1:1:ios:a")
        #expect(DialtoneOptions(contentsOfFile: path + "x") == nil)
    }
}
