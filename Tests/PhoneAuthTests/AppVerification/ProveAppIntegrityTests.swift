import RedisScripts
import Synchronization
import Testing
import TestServers

@testable import PhoneAuth

extension PhoneAuthTests {
    /// Tokens of Play Integrity in the domain. A mock decodes them: a token is genuine if it begins with the text that
    /// it is bound to.
    @Suite struct ProveAppIntegrityTests {
        /// The tokens that the mock decoded.
        private final class Decoded: Sendable {
            let requests = Mutex<[IntegrityTokenRequest]>([])

            var count: Int { requests.withLock { $0.count } }
        }

        private let deployment: Deployment
        private let decoded = Decoded()
        private let number = "+16505550180"
        private let app = ClientApp.android(packageName: "com.example.app")

        init() throws {
            deployment = try Deployment { $0.sendsPerNetworkPerHour = 30 }
        }

        private func authenticator() -> Authenticator {
            let decoded = decoded
            return deployment.authenticator(
                appVerification: .required(
                    askProvider: AppVerification.ProviderCheck(
                        mayBeValid: { _, _ in nil },
                        verdict: { _, _, _ in .notConfigured }
                    ),
                    verifyIntegrity: AppVerification.IntegrityCheck(
                        mayBeValid: { token, packageName, _ in
                            packageName == "com.example.app" ? !token.isEmpty && token != "malformed" : nil
                        },
                        refusal: { request, _ in
                            decoded.requests.withLock { $0.append(request) }
                            return request.subjects.contains { request.token.hasPrefix($0 + " ") }
                                ? nil : .integrityNonceOther
                        }
                    )
                )
            )
        }

        private func project(_ id: String = "demo-app") throws -> Project {
            let apps = try ["com.example.app", "com.example.plain"].map { name in
                try #require(AndroidApp(name: "app", packageName: name, retrieverHashes: []))
            }
            return Project(
                id: id,
                authorizedDomains: [],
                apps: [.demo],
                androidApps: .registered(apps),
                isAnonymousSignInEnabled: true,
                isPasswordSignInEnabled: true,
                requiresAppProofAtSignUp: true
            )
        }

        private func send(
            _ token: String,
            to number: String? = nil,
            by app: ClientApp? = nil,
            address: String? = nil,
            request: String = "r"
        ) throws -> SendOutcome {
            authenticator().in(try project()).send(
                to: number ?? self.number,
                address: address,
                provenBy: .playIntegrityToken(token),
                by: app ?? self.app,
                request: request
            )
        }

        @Test("a token proves the app once, and again if the request is repeated")
        func once() throws {
            let token = "\(number) 1"
            #expect(try send(token, request: "1").outcome == .opened)
            #expect(try send(token, request: "1").outcome == .reentered, "the front end repeats a request")
            #expect(try send(token, request: "2") == .notProven(.challengeNeeded(.integrityTokenUsed)))
            #expect(try send("\(number) 2", request: "3").outcome == .reentered)
        }

        @Test("each project of an app accepts a token once")
        func projects() throws {
            let (first, second) = (authenticator().in(try project()), authenticator().in(try project("other-app")))
            func send(_ project: OperationContext, _ token: String, _ request: String) -> SendOutcome {
                project.send(to: number, provenBy: .playIntegrityToken(token), by: app, request: request)
            }
            #expect(send(first, "\(number) 1", "1").outcome == .opened)
            #expect(send(second, "\(number) 1", "2").outcome == .opened)
            for (project, request) in [(first, "3"), (second, "4")] {
                #expect(send(project, "\(number) 1", request) == .notProven(.challengeNeeded(.integrityTokenUsed)))
            }
        }

        @Test("of requests racing with one token, exactly one succeeds")
        func race() throws {
            let token = "\(number) 1"
            let outcomes = try inParallel(8) { racer in try send(token, request: "r\(racer)") }
            #expect(outcomes.filter { $0.sessionInfo != nil }.count == 1)
            #expect(outcomes.filter { $0 == .notProven(.challengeNeeded(.integrityTokenUsed)) }.count == 7)
        }

        @Test("a used token is remembered for longer than it would be accepted, and Redis has only its hash")
        func memory() throws {
            let token = "\(number) secret-part"
            #expect(try send(token).outcome == .opened)
            let key = try #require(deployment.keyNames(matching: "*used-integrity-token*").first)
            let seconds = try #require(Int(deployment.cli("TTL", key)))
            let accepted = IntegrityTokenRequest.maximumAge + IntegrityTokenRequest.clockTolerance
            #expect(.seconds(seconds) > accepted && seconds <= 420)
            let contents = deployment.contents().map { "\($0.key) \($0.value)" }.joined(separator: "\n")
            #expect(!contents.contains("secret-part"))
        }

        @Test("a refused token is not used up")
        func refused() throws {
            #expect(try send("+16505550181 1") == .notProven(.challengeNeeded(.integrityNonceOther)))
            #expect(try send("malformed") == .notProven(.challengeNeeded(.integrityTokenInvalid)))
            #expect(deployment.keyNames(matching: "*used-integrity-token*").isEmpty)
            #expect(try send("+16505550181 1", to: "+16505550181").outcome == .opened)
        }

        @Test("tokens are decoded only for a registered Android app with Play Integrity settings")
        func apps() throws {
            let token = "\(number) 1"
            for other in [ClientApp.web, .iOS(bundleID: "com.example.demo"), .android(packageName: "com.example.x")] {
                #expect(try send(token, by: other) == .notProven(.invalid(.appUnknown)))
            }
            let plain = ClientApp.android(packageName: "com.example.plain")
            #expect(try send(token, by: plain) == .notProven(.challengeNeeded(.integrityNotConfigured)))
            let without = deployment.authenticator(appVerification: .required).in(try project())
            #expect(
                without.send(to: number, provenBy: .playIntegrityToken(token), by: app)
                    == .notProven(.challengeNeeded(.integrityNotConfigured))
            )
            #expect(decoded.count == 0)
        }

        @Test("a network's tokens are counted before they are decoded, and malformed tokens are not decoded")
        func limit() throws {
            for attempt in 0..<12 {
                let outcome = try send("wrong \(attempt)", address: "192.0.2.7", request: "r\(attempt)")
                let expected: InvalidAppCredential = attempt < 10 ? .integrityNonceOther : .tooManyProviderChecks
                #expect(outcome == .notProven(.challengeNeeded(expected)))
            }
            #expect(decoded.count == 10)
            #expect(
                try send("\(number) 1", address: "192.0.2.7", request: "right")
                    == .notProven(.challengeNeeded(.tooManyProviderChecks))
            )
            #expect(decoded.count == 10)
            #expect(try send("malformed", request: "m") == .notProven(.challengeNeeded(.integrityTokenInvalid)))
            #expect(decoded.count == 10)
            #expect(try send("\(number) 1", address: "192.0.2.8", request: "other").outcome == .opened)
        }

        @Test("a token is bound to the number as the user entered it or in E.164 form")
        func subjects() throws {
            #expect(try send("\(number) 1").outcome == .opened)
            #expect(try send("+1 650-555-0182 1", to: "+1 650-555-0182", request: "2").outcome == .opened)
            #expect(decoded.requests.withLock { $0.last?.subjects } == ["+16505550182", "+1 650-555-0182"])
            #expect(decoded.requests.withLock { $0.last?.now } == deployment.clock.now)
        }

        @Test("a token proves nothing for a sign-up, which has no number")
        func signUp() throws {
            let context = authenticator().in(try project())
            let proof = AppProofRequest(
                credential: .playIntegrityToken("\(number) 1"),
                app: app,
                networkAddress: "192.0.2.1"
            )
            #expect(throws: SignUpRefusal.self) { try context.signUpAnonymously(provenBy: proof) }
            #expect(decoded.requests.withLock { $0.map(\.subjects) } == [[]])
        }

        @Test("the decision record names Play Integrity, and sessions are bound to the network")
        func decision() throws {
            #expect(AppProof(grounds: .playIntegrity).grounds.name == "Play Integrity")
            #expect(!AppProof(grounds: .playIntegrity).isHard)
            #expect(try send("\(number) 1", address: "192.0.2.1", request: "1").outcome == .opened)
            #expect(try send("\(number) 2", address: "192.0.2.2", request: "2").outcome == .opened)
            #expect(try send("\(number) 3", address: "192.0.2.1", request: "3").outcome == .reentered)
        }
    }
}
