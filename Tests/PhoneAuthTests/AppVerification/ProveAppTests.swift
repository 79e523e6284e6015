import PhoneAuth
import RedisScripts
import Testing

extension PhoneAuthTests {
    @Suite struct ProveAppTests: AppVerificationSuite {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project
        let number = "+16505550160"

        init() throws {
            deployment = try Deployment()
            authenticator = deployment.authenticator(appVerification: .required)
            project = deployment.project
        }

        // MARK: Push receipts

        @Test("the receipt and the secret of a push prove the app repeatedly")
        func reusable() throws {
            let push = try receivedPush()
            #expect(send(push.receipt, push.secret).outcome == .opened)
            #expect(send(push.receipt, push.secret).outcome == .reentered)
        }

        @Test(
            "a receipt lives a minute until delivery, an hour until its first use, then thirty days after each use"
        )
        func life() throws {
            let push = try receivedPush()
            let key = try #require(deployment.keyNames(matching: "*:receipt:*").first)
            func secondsLeft() throws -> Int { try #require(Int(deployment.cli("TTL", key))) }
            #expect((30...65).contains(try secondsLeft()))
            try authenticator.finish(push, .delivered(.production))
            #expect((3500...3600).contains(try secondsLeft()))
            _ = send(push.receipt, push.secret)
            #expect((2_591_900...2_592_000).contains(try secondsLeft()))
            deployment.cli("EXPIRE", key, "100")
            _ = send(push.receipt, push.secret)
            #expect(try secondsLeft() > 2_591_000)
            deployment.cli("DEL", key)
            #expect(send(push.receipt, push.secret) == .notProven(.invalid(.receiptUnknown)))
        }

        @Test("a wrong secret, another app or a forged receipt is rejected")
        func wrong() throws {
            let push = try receivedPush()
            let other = push.secret.hasPrefix("A") ? "B" : "A"
            #expect(send(push.receipt, other + push.secret.dropFirst()) == .notProven(.invalid(.secretWrong)))
            #expect(send(push.receipt, "") == .notProven(.invalid(.secretWrong)))
            #expect(send("AQABAAAA", push.secret) == .notProven(.invalid(.secretWrong)))
            #expect(
                send(push.receipt, push.secret, from: "com.example.old") == .notProven(.invalid(.secretWrong))
            )
            #expect(send(push.receipt, push.secret, from: "com.example.x") == .notProven(.invalid(.appUnknown)))
            #expect(send(push.receipt, push.secret, from: nil) == .notProven(.invalid(.appUnknown)))
        }

        @Test("the first use of a device's newer receipt ends its older receipts")
        func newerReceipt() throws {
            let older = try receivedPush()
            deployment.clock.advance(by: .seconds(1))
            let newer = try receivedPush()
            #expect(send(older.receipt, older.secret).outcome == .opened)
            #expect(send(newer.receipt, newer.secret).outcome == .reentered)
            #expect(send(older.receipt, older.secret) == .notProven(.invalid(.receiptUnknown)))
            #expect(send(newer.receipt, newer.secret).outcome == .reentered)
        }

        @Test("a receipt of another project is invalid")
        func foreignProject() throws {
            let push = try receivedPush()
            let other = Project(id: "other-app", authorizedDomains: [], apps: [.demo])
            let outcome = authenticator.in(other).send(
                to: number,
                provenBy: .pushReceipt(receipt: push.receipt, secret: push.secret),
                from: push.bundleID.text
            )
            #expect(outcome == .notProven(.invalid(.secretWrong)))
        }

        @Test("a session is bound to the device, whatever its network")
        func binding() throws {
            let push = try receivedPush()
            let session = try #require(send(push.receipt, push.secret, client: 1).sessionInfo)
            #expect(send(push.receipt, push.secret, client: 2) == .sent(session, .reentered))
            let newer = try receivedPush()
            #expect(send(newer.receipt, newer.secret, client: 1) == .sent(session, .reentered))
            let other = try receivedPush(by: DeviceTokens.second)
            #expect(send(other.receipt, other.secret, client: 1).outcome == .opened)
        }

        // MARK: Challenge tokens

        @Test("a challenge token proves the app once")
        func challenge() throws {
            let token = try token()
            func send(request: String) -> SendOutcome {
                authenticator.in(project).send(to: number, provenBy: .challengeToken(token), request: request)
            }
            #expect(send(request: "1").outcome == .opened)
            #expect(send(request: "1").outcome == .reentered, "the front end repeats a request whose worker died")
            #expect(send(request: "2") == .notProven(.invalid(.challengeTokenUnknown)))
        }

        @Test("a challenge token is valid only for the app that solved the challenge")
        func holder() throws {
            let cases: [(ClientApp, String?, Bool)] = [
                (.iOS(bundleID: "com.example.demo"), "com.example.demo", true),
                (.android(packageName: "com.example.demo"), "com.example.demo", false),
                (.android(packageName: "com.example.demo"), nil, false),
                (.iOS(bundleID: "com.example.demo"), "com.example.old", false),
                (.iOS(bundleID: "com.example.demo"), nil, false), (.web, "com.example.demo", false), (.web, nil, true),
            ]
            for (index, (holder, bundleID, isValid)) in cases.enumerated() {
                let outcome = authenticator.in(project).send(
                    to: "+1650555017\(index)",
                    provenBy: .challengeToken(try token([UInt8(index)], to: holder)),
                    from: bundleID
                )
                #expect((outcome.sessionInfo != nil) == isValid, "\(holder) \(bundleID ?? "web")")
            }
        }

        @Test("a token of a CAPTCHA provider is accepted for web apps only")
        func providersToken() {
            let asking = deployment.authenticator(
                appVerification: .required(
                    askProvider: AppVerification.ProviderCheck(
                        mayBeValid: { token, _ in token != "impossible" },
                        verdict: { token, address, project in
                            guard address == "192.0.2.1", project.id == "demo-app" else { return .unavailable }
                            return token == "solved" ? .solved : .notSolved
                        }
                    )
                )
            )
            func send(_ token: String, from bundleID: String? = nil) -> SendOutcome {
                asking.in(project).send(to: number, provenBy: .challengeToken(token), from: bundleID)
            }
            #expect(send("solved").sessionInfo != nil)
            #expect(send("other") == .notProven(.invalid(.providerRefused)))
            #expect(send("impossible") == .notProven(.invalid(.providerRefused)))
            #expect(send("") == .notProven(.invalid(.challengeTokenUnknown)))
            #expect(send("solved", from: "com.example.demo") == .notProven(.invalid(.challengeTokenUnknown)))
        }

        @Test("a SafetyNet token proves nothing, and the app is asked for another credential")
        func safetyNet() {
            let outcome = authenticator.in(project).send(to: number, provenBy: .safetyNetToken)
            #expect(outcome == .notProven(.challengeNeeded(.safetyNetUnsupported)))
        }
    }
}
