import PhoneAuth
import RedisStore
import TestServers
import Testing

extension PhoneAuthTests {
    /// The limits on messages that numbers share, such as those per network, app credential and project.
    @Suite struct SendVerificationCodeSharedLimitTests {
        @Test("a network gets a fixed number of messages per hour in a sliding window")
        func network() throws {
            let deployment = try Deployment { $0.sendsPerNetworkPerHour = 3 }
            let authenticator = deployment.authenticator()
            let project = deployment.project
            for index in 0..<3 {
                #expect(authenticator.in(project).send(to: fictionalNumber(index)).outcome == .opened)
                deployment.clock.advance(by: .seconds(60))
            }
            let refusal = try ExceededRateLimit.of(authenticator.in(project).send(to: fictionalNumber(3)))
            #expect(refusal.limit.scope == .network(.narrow))
            #expect(refusal.description == "3 of 3 sends per network in 3600 s")
            #expect(refusal.retryAfter == .seconds(3600 - 180))
            // Another network, and this network in another project, are unaffected.
            #expect(authenticator.in(project).send(to: fictionalNumber(3), client: 2).outcome == .opened)
            let other = Project(id: "other-app", authorizedDomains: [])
            #expect(authenticator.in(other).send(to: fictionalNumber(3)).outcome == .opened)
            deployment.clock.advance(by: .milliseconds(3_420_000 - 1))
            #expect(
                try ExceededRateLimit.of(authenticator.in(project).send(to: fictionalNumber(4))).retryAfter
                    == .milliseconds(1)
            )
            deployment.clock.advance(by: .milliseconds(1))
            #expect(authenticator.in(project).send(to: fictionalNumber(4)).outcome == .opened)
        }

        @Test("an IPv6 network is a /64, and an IPv4 network is one address, however they are written")
        func networks() throws {
            let deployment = try Deployment { $0.sendsPerNetworkPerHour = 1 }
            let authenticator = deployment.authenticator()
            let addresses: [(String, isFirst: Bool)] = [
                ("2001:db8:1:2::1", true), ("2001:db8:1:2:3:4:5:6", false), ("2001:0DB8:1:2::", false),
                ("2001:db8:1:3::1", true), ("192.0.2.1", true), ("192.0.2.2", true), ("192.0.2.1", false),
            ]
            for (index, (address, isFirst)) in addresses.enumerated() {
                let sent = authenticator.in(deployment.project).send(to: fictionalNumber(index), address: address)
                #expect((sent.outcome == .opened) == isFirst, "\(address)")
            }
        }

        @Test("wider IPv6 networks have separate limits: 4 times as high for a /56, 16 times for a /48")
        func widerNetworks() throws {
            let deployment = try Deployment { $0.sendsPerNetworkPerHour = 1 }
            let authenticator = deployment.authenticator()
            func send(_ index: Int, from address: String) -> SendOutcome {
                authenticator.in(deployment.project).send(to: fictionalNumber(index), address: address)
            }
            for index in 0..<4 { #expect(send(index, from: "2001:db8:1:\(index)::1").outcome == .opened) }
            let fifth = try ExceededRateLimit.of(send(4, from: "2001:db8:1:ff::1"))
            #expect(fifth.description == "4 of 4 sends per network /56 in 3600 s")
            for index in 4..<16 { #expect(send(index, from: "2001:db8:1:\(index)00::1").outcome == .opened) }
            let seventeenth = try ExceededRateLimit.of(send(16, from: "2001:db8:1:ff00::1"))
            #expect(seventeenth.description == "16 of 16 sends per network /48 in 3600 s")
            #expect(send(16, from: "2001:db8:2::1").outcome == .opened)
        }

        @Test("an app credential gets a fixed number of messages per hour and day, on any network")
        func appCredential() throws {
            let deployment = try Deployment {
                $0.sendsPerAppCredentialPerHour = 2
                $0.sendsPerAppCredentialPerDay = 3
            }
            let authenticator = deployment.authenticator(appVerification: .required)
            let project = deployment.project
            for token in [DeviceTokens.first, DeviceTokens.second] {
                _ = authenticator.in(project).verify(token: token)
            }
            let pushes = try authenticator.takeAll()
            func send(_ index: Int, by device: Int = 0) -> SendOutcome {
                let push = pushes[device]
                return authenticator.in(project).send(
                    to: fictionalNumber(index),
                    client: index,
                    provenBy: .pushReceipt(receipt: push.receipt, secret: push.secret),
                    from: push.bundleID.text
                )
            }
            #expect(send(1).outcome == .opened)
            #expect(send(2).outcome == .opened)
            let refusal = try ExceededRateLimit.of(send(3))
            #expect(refusal.description == "2 of 2 sends per app credential in 3600 s")
            #expect(refusal.retryAfter == .seconds(3600))
            #expect(send(3, by: 1).outcome == .opened)
            deployment.clock.advance(by: .seconds(3600))
            #expect(send(4).outcome == .opened)
            #expect(try ExceededRateLimit.of(send(5)).limit.window.milliseconds == 86_400_000)
        }

        @Test("a new receipt does not give a device more messages")
        func newReceipt() throws {
            let deployment = try Deployment { $0.sendsPerAppCredentialPerHour = 2 }
            let authenticator = deployment.authenticator(appVerification: .required)
            let project = deployment.project
            for index in 0..<3 {
                _ = authenticator.in(project).verify()
                let push = try #require(try authenticator.takeAll().first)
                let sent = authenticator.in(project).send(
                    to: fictionalNumber(index),
                    client: index,
                    provenBy: .pushReceipt(receipt: push.receipt, secret: push.secret),
                    from: push.bundleID.text
                )
                if index < 2 {
                    #expect(sent.outcome == .opened)
                } else {
                    #expect(try ExceededRateLimit.of(sent).limit.scope == .appCredential)
                }
            }
        }

        @Test("a call within the reentrancy lock counts towards no limit, and no limit ends the lock")
        func reentered() throws {
            let deployment = try Deployment {
                $0.sendsPerNetworkPerHour = 2
                $0.sendsPerProjectPerDay = 2
            }
            let authenticator = deployment.authenticator()
            let first = try authenticator.in(deployment.project).session(for: fictionalNumber(0))
            let counted = deployment.contents().filter { $0.key.contains("rate") }
            for _ in 0..<5 {
                #expect(authenticator.in(deployment.project).send(to: fictionalNumber(0)) == .sent(first, .reentered))
            }
            #expect(deployment.contents().filter { $0.key.contains("rate") } == counted)
            #expect(authenticator.in(deployment.project).send(to: fictionalNumber(1)).outcome == .opened)
            _ = try ExceededRateLimit.of(authenticator.in(deployment.project).send(to: fictionalNumber(2)))
            #expect(authenticator.in(deployment.project).send(to: fictionalNumber(0)) == .sent(first, .reentered))
        }

        @Test("racing clients at a limit get exactly the number of messages that it allows", arguments: 0..<4)
        func racing(limit: Int) throws {
            let deployment = try Deployment { policy in
                switch limit {
                case 0: policy.sendsPerNetworkPerHour = 7
                case 1: policy.sendsPerProjectPerDay = 7
                case 2: policy.sendsPerHour = 7
                default: policy.sendsPerDay = 7
                }
            }
            let numbers = (0..<16).map { fictionalNumber($0) }
            let outcomes = try inParallel(16) { racer in
                deployment.authenticator().in(deployment.project).send(to: numbers[racer])
            }
            #expect(outcomes.filter { $0.outcome == .opened }.count == 7)
            #expect(outcomes.filter { if case .exceeded = $0 { true } else { false } }.count == 9)
            #expect(try deployment.authenticator().in(deployment.project).inbox().count == 7)
        }

        @Test("test numbers are exempt from all of these limits")
        func testNumbers() throws {
            let deployment = try Deployment {
                $0.sendsPerNetworkPerHour = 1
                $0.sendsPerProjectPerDay = 1
                $0.sendsPerHour = 1
                $0.sendsPerDay = 1
            }
            let authenticator = deployment.authenticator()
            let project = deployment.project
            try authenticator.in(project).setTestNumber(
                fictionalNumber(0),
                code: try #require(VerificationCode("271828"))
            )
            #expect(authenticator.in(project).send(to: fictionalNumber(1)).outcome == .opened)
            let counted = deployment.contents().filter { $0.key.contains("rate") }
            for client in 1...5 {
                #expect(authenticator.in(project).send(to: fictionalNumber(0), client: client).outcome == .testNumber)
            }
            #expect(deployment.contents().filter { $0.key.contains("rate") } == counted)
        }

        @Test("projects and deployments have quotas, which are reported as such and not as limits of clients")
        func quotas() throws {
            let deployment = try Deployment {
                $0.sendsPerProjectPerDay = 2
                $0.sendsPerHour = 3
                $0.sendsPerDay = 5
            }
            let authenticator = deployment.authenticator()
            let project = deployment.project
            let other = Project(id: "other-app", authorizedDomains: [])
            for index in 0..<2 {
                #expect(authenticator.in(project).send(to: fictionalNumber(index)).outcome == .opened)
            }
            let ofProject = try ExceededRateLimit.of(authenticator.in(project).send(to: fictionalNumber(2)))
            #expect(ofProject.description == "2 of 2 sends per project in 86400 s")
            // A bucket of a day is 24 minutes long, and a send counts until its bucket has left the day.
            #expect((.seconds(86_400)...(.seconds(86_400 + 1440))).contains(ofProject.retryAfter))
            #expect(authenticator.in(other).send(to: fictionalNumber(2)).outcome == .opened)
            let ofHour = try ExceededRateLimit.of(authenticator.in(other).send(to: fictionalNumber(3)))
            #expect(ofHour.description == "3 of 3 sends per deployment in 3600 s")
            deployment.clock.advance(by: ofHour.retryAfter)
            #expect(authenticator.in(other).send(to: fictionalNumber(3)).outcome == .opened)
            let third = Project(id: "third-app", authorizedDomains: [])
            #expect(authenticator.in(third).send(to: fictionalNumber(4)).outcome == .opened)
            let ofDay = try ExceededRateLimit.of(authenticator.in(third).send(to: fictionalNumber(5)))
            #expect(ofDay.description == "5 of 5 sends per deployment in 86400 s")
        }

        @Test("a quota of 0 means no limit, and nothing is counted")
        func unlimited() throws {
            let deployment = try Deployment {
                $0.sendsPerProjectPerDay = 0
                $0.sendsPerHour = 0
                $0.sendsPerDay = 0
            }
            let authenticator = deployment.authenticator()
            for index in 0..<20 {
                #expect(authenticator.in(deployment.project).send(to: fictionalNumber(index)).outcome == .opened)
            }
            #expect(deployment.keyNames(matching: "dt:{limits}*") == [])
        }
    }
}
