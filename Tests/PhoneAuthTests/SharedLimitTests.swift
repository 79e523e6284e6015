import PhoneAuth
import RedisStore
import TestServers
import Testing

extension PhoneAuthTests {
    /// The limits on messages that numbers share, above all those of networks and app credentials.
    @Suite struct SharedLimitTests {
        @Test("a network gets so many messages an hour, and one more just when the first leaves the hour")
        func network() throws {
            let deployment = try Deployment { $0.sendsPerNetworkPerHour = 3 }
            let authenticator = deployment.authenticator()
            let project = deployment.project
            for index in 0..<3 {
                #expect(authenticator.send(to: fictionalNumber(index), in: project).outcome == .opened)
                deployment.clock.advance(by: .seconds(60))
            }
            let refusal = try ExceededLimit.of(authenticator.send(to: fictionalNumber(3), in: project))
            #expect(refusal.scope == .network)
            #expect(refusal.description == "3 of 3 sends per network in 3600 s")
            #expect(refusal.retryAfter == .seconds(3600 - 180))
            // Another network, and this one in another project, are not concerned.
            #expect(authenticator.send(to: fictionalNumber(3), client: 2, in: project).outcome == .opened)
            let other = Project(id: "other-app", authorizedDomains: [])
            #expect(authenticator.send(to: fictionalNumber(3), in: other).outcome == .opened)
            deployment.clock.advance(by: .milliseconds(3_420_000 - 1))
            #expect(
                try ExceededLimit.of(authenticator.send(to: fictionalNumber(4), in: project)).retryAfter
                    == .milliseconds(1)
            )
            deployment.clock.advance(by: .milliseconds(1))
            #expect(authenticator.send(to: fictionalNumber(4), in: project).outcome == .opened)
        }

        @Test("an IPv6 network is a /64, an IPv4 one an address, in any spelling")
        func networks() throws {
            let deployment = try Deployment { $0.sendsPerNetworkPerHour = 1 }
            let authenticator = deployment.authenticator()
            let addresses: [(String, isFirst: Bool)] = [
                ("2001:db8:1:2::1", true), ("2001:db8:1:2:3:4:5:6", false), ("2001:0DB8:1:2::", false),
                ("2001:db8:1:3::1", true), ("192.0.2.1", true), ("192.0.2.2", true), ("192.0.2.1", false),
            ]
            for (index, (address, isFirst)) in addresses.enumerated() {
                let sent = authenticator.send(to: fictionalNumber(index), address: address, in: deployment.project)
                #expect((sent.outcome == .opened) == isFirst, "\(address)")
            }
        }

        @Test("IPv6 networks around a /64 have limits of their own: 4 times its for a /56, 16 times for a /48")
        func widerNetworks() throws {
            let deployment = try Deployment { $0.sendsPerNetworkPerHour = 1 }
            let authenticator = deployment.authenticator()
            func send(_ index: Int, from address: String) -> SendOutcome {
                authenticator.send(to: fictionalNumber(index), address: address, in: deployment.project)
            }
            for index in 0..<4 { #expect(send(index, from: "2001:db8:1:\(index)::1").outcome == .opened) }
            let fifth = try ExceededLimit.of(send(4, from: "2001:db8:1:ff::1"))
            #expect(fifth.description == "4 of 4 sends per network /56 in 3600 s")
            for index in 4..<16 { #expect(send(index, from: "2001:db8:1:\(index)00::1").outcome == .opened) }
            let seventeenth = try ExceededLimit.of(send(16, from: "2001:db8:1:ff00::1"))
            #expect(seventeenth.description == "16 of 16 sends per network /48 in 3600 s")
            #expect(send(16, from: "2001:db8:2::1").outcome == .opened)
        }

        @Test("one app credential asks for so many messages an hour and a day, whatever its network")
        func appCredential() throws {
            let deployment = try Deployment {
                $0.sendsPerAppCredentialPerHour = 2
                $0.sendsPerAppCredentialPerDay = 3
            }
            let authenticator = deployment.authenticator(appVerification: .required)
            let project = deployment.project
            for token in [DeviceTokens.first, DeviceTokens.second] {
                _ = authenticator.verify(token: token, in: project)
            }
            let pushes = try authenticator.takeAll()
            func send(_ index: Int, by device: Int = 0) -> SendOutcome {
                let push = pushes[device]
                return authenticator.send(
                    to: fictionalNumber(index),
                    client: index,
                    provenBy: .pushReceipt(receipt: push.receipt, secret: push.secret),
                    from: push.bundleID,
                    in: project
                )
            }
            #expect(send(1).outcome == .opened)
            #expect(send(2).outcome == .opened)
            let refusal = try ExceededLimit.of(send(3))
            #expect(refusal.description == "2 of 2 sends per app credential in 3600 s")
            #expect(refusal.retryAfter == .seconds(3600))
            #expect(send(3, by: 1).outcome == .opened)
            deployment.clock.advance(by: .seconds(3600))
            #expect(send(4).outcome == .opened)
            #expect(try ExceededLimit.of(send(5)).window == .seconds(86_400))
        }

        @Test("a device gets no more messages by fetching another receipt")
        func newReceipt() throws {
            let deployment = try Deployment { $0.sendsPerAppCredentialPerHour = 2 }
            let authenticator = deployment.authenticator(appVerification: .required)
            let project = deployment.project
            for index in 0..<3 {
                _ = authenticator.verify(in: project)
                let push = try #require(try authenticator.takeAll().first)
                let sent = authenticator.send(
                    to: fictionalNumber(index),
                    client: index,
                    provenBy: .pushReceipt(receipt: push.receipt, secret: push.secret),
                    from: push.bundleID,
                    in: project
                )
                if index < 2 {
                    #expect(sent.outcome == .opened)
                } else {
                    #expect(try ExceededLimit.of(sent).scope == .appCredential)
                }
            }
        }

        @Test("a call within the reentrancy time counts nowhere, and no limit ends the reentrancy")
        func reentered() throws {
            let deployment = try Deployment {
                $0.sendsPerNetworkPerHour = 2
                $0.sendsPerProjectPerDay = 2
            }
            let authenticator = deployment.authenticator()
            let first = try authenticator.session(for: fictionalNumber(0), in: deployment.project)
            let counted = deployment.contents().filter { $0.key.contains("rate") }
            for _ in 0..<5 {
                #expect(authenticator.send(to: fictionalNumber(0), in: deployment.project) == .sent(first, .reentered))
            }
            #expect(deployment.contents().filter { $0.key.contains("rate") } == counted)
            #expect(authenticator.send(to: fictionalNumber(1), in: deployment.project).outcome == .opened)
            _ = try ExceededLimit.of(authenticator.send(to: fictionalNumber(2), in: deployment.project))
            #expect(authenticator.send(to: fictionalNumber(0), in: deployment.project) == .sent(first, .reentered))
        }

        @Test("racing clients at the edge of a limit get just as many messages as it allows", arguments: 0..<4)
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
                deployment.authenticator().send(to: numbers[racer], in: deployment.project)
            }
            #expect(outcomes.filter { $0.outcome == .opened }.count == 7)
            #expect(outcomes.filter { if case .exceeded = $0 { true } else { false } }.count == 9)
            #expect(try deployment.authenticator().inbox(of: deployment.project).count == 7)
        }

        @Test("a test number is outside all of them")
        func testNumbers() throws {
            let deployment = try Deployment {
                $0.sendsPerNetworkPerHour = 1
                $0.sendsPerProjectPerDay = 1
                $0.sendsPerHour = 1
                $0.sendsPerDay = 1
            }
            let authenticator = deployment.authenticator()
            let project = deployment.project
            try authenticator.setTestNumber(
                fictionalNumber(0),
                code: try #require(VerificationCode("123456")),
                in: project
            )
            #expect(authenticator.send(to: fictionalNumber(1), in: project).outcome == .opened)
            let counted = deployment.contents().filter { $0.key.contains("rate") }
            for client in 1...5 {
                #expect(authenticator.send(to: fictionalNumber(0), client: client, in: project).outcome == .testNumber)
            }
            #expect(deployment.contents().filter { $0.key.contains("rate") } == counted)
        }
    }
}
