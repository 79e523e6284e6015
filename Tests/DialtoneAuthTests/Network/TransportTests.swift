import Foundation
import FoundationNetworking
import TestServers
import Testing

@testable import DialtoneAuth

/// Servers that are slow, hostile, or not Dialtone.
@Suite struct TransportTests {
    @Test("a redirect is not followed, so no token reaches another host")
    func redirection() async throws {
        let other = try StandIn { _ in StandIn.Answer() }
        let server = try StandIn { [url = other.url] _ in
            StandIn.Answer(status: 307, headers: ["Location": "\(url)/v1/token"])
        }
        let app = try TestApp(server.url)
        let user = try app.signIn("ann", token: idToken(of: "ann", life: 10))
        await #expect { try await user.getIDToken() } throws: { AuthErrorCode($0) == .networkError }
        #expect(other.requests.isEmpty)
        #expect(app.auth.currentUser === user)
    }

    @Test("an endless response is cut off")
    func endless() async throws {
        let server = try RawServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            let chunk = "10000\r\n" + String(repeating: "x", count: 65_536) + "\r\n"
            // Foundation on Linux reads ahead of its delegate, so a server without pauses would fill the machine's
            // memory.
            for _ in 0...HTTPTransport.longestBody / 65_536 { connection.write(chunk) }
            while connection.read() != nil {}
        }
        let app = try TestApp(server.url)
        await #expect { try await app.auth.signInAnonymously() } throws: { AuthErrorCode($0) == .internalError }
    }

    @Test("a request to a server that does not respond ends at the deadline")
    func deadline() async throws {
        let server = try StandIn { _ in nil }
        let silent = try RawServer { connection in while connection.read() != nil {} }
        defer { silent.stop() }
        for url in [server.url, silent.url] {
            let request = URLRequest(url: try #require(URL(string: url)))
            await #expect { try await HTTPTransport(nil).send(request, within: 0.3) } throws: {
                AuthErrorCode($0) == .networkError
            }
        }
    }

    @Test("a cancelled task returns immediately")
    func cancellation() async throws {
        let silent = try RawServer { connection in while connection.read() != nil {} }
        defer { silent.stop() }
        let app = try TestApp(silent.url)
        let work = Task { try await app.auth.signInAnonymously() }
        #expect(await waitUntil { silent.connectionCount > 0 })
        let start = ContinuousClock.now
        work.cancel()
        await #expect(throws: CancellationError.self) { try await work.value }
        // The server never responds, and a request would end only after 30 seconds.
        #expect(ContinuousClock.now - start < .seconds(10))
    }

    @Test("a closed port causes a network error")
    func unreachable() async throws {
        let app = try TestApp("http://127.0.0.1:\(FreePort.next())")
        await #expect { try await app.auth.signInAnonymously() } throws: { AuthErrorCode($0) == .networkError }
        #expect(await app.auth.diagnose().contains { $0.check == .server && !$0.isFine })
    }

    @Test(
        "a response that is not Dialtone's is an error without the response's content",
        arguments: [
            "", "<html>secret", "[]", #"{"idToken":5}"#, #"{"idToken":"secret","refreshToken":"secret"}"#, "{}",
        ]
    )
    func hostileAnswers(body: String) async throws {
        let server = try StandIn { _ in StandIn.Answer(body: body) }
        let app = try TestApp(server.url)
        do {
            _ = try await app.auth.signInAnonymously()
            Issue.record("no error")
        } catch {
            #expect([.internalError, .malformedJWT].contains(AuthErrorCode(error)))
            let error = error as NSError
            #expect(!"\(error) \(error.userInfo) \(error.localizedDescription)".contains("secret"))
        }
        #expect(app.auth.currentUser == nil)
    }

    @Test("errors of requests do not contain the request's tokens and codes")
    func secrets() async throws {
        let server = try StandIn { _ in StandIn.Answer.error("INVALID_CODE") }
        let app = try TestApp(server.url)
        let provider = PhoneAuthProvider.provider(auth: app.auth)
        for url in [server.url, "http://127.0.0.1:\(FreePort.next())"] {
            let app = try TestApp(url)
            let credential = provider.credential(withVerificationID: "secret-id", verificationCode: "135790")
            do {
                _ = try await app.auth.signIn(with: credential)
                Issue.record("no error")
            } catch {
                let text = "\(error) \((error as NSError).userInfo)"
                for secret in ["secret-id", "135790", "demo-key"] { #expect(!text.contains(secret)) }
            }
        }
    }

    @Test("the API key and the language are sent in headers, and no cookie is sent back")
    func headers() async throws {
        let server = try StandIn { _ in StandIn.Answer(headers: ["Set-Cookie": "a=b"]) }
        let app = try TestApp(server.url)
        app.auth.languageCode = "fr"
        for _ in 0..<2 { _ = try? await app.auth.signInAnonymously() }
        let request = try #require(server.requests.last).text.lowercased()
        #expect(request.contains("x-goog-api-key: demo-key\r\n"))
        #expect(request.contains("x-firebase-locale: fr\r\n"))
        #expect(!request.contains("cookie:"))
        #expect(!request.split(separator: "\r\n")[0].contains("demo-key"))
    }

    @Test("an invalid language adds no header field", arguments: ["fr\r\nX-Added: 1", "", "é", "a b"])
    func language(_ language: String) async throws {
        let server = try StandIn { _ in StandIn.Answer() }
        let app = try TestApp(server.url)
        app.auth.languageCode = language
        _ = try? await app.auth.signInAnonymously()
        let request = try #require(server.requests.last).text.lowercased()
        #expect(!request.contains("x-added") && !request.contains("x-firebase-locale"))
    }
}
