import PhoneAuth
import PhoneNumbers
import RedisScripts
import Testing

extension PhoneAuthTests {
    /// The limits on messages that numbers share, such as those per network, app credential and project.
    @Suite struct SendVerificationCodeSharedLimitTests {
        @Test("a network gets its messages of an hour at once, and then one back after each part of the hour")
        func network() throws {
            let deployment = try Deployment { $0.sendsPerNetworkPerHour = 4 }
            let authenticator = deployment.authenticator()
            let project = deployment.project
            for index in 0..<3 {
                #expect(authenticator.in(project).send(to: fictionalNumber(index)).outcome == .opened)
                deployment.clock.advance(by: .seconds(60))
            }
            let refusal = try ExceededRateLimit.of(authenticator.in(project).send(to: fictionalNumber(3)))
            #expect(refusal.limit.scope == .network(.narrow))
            #expect(refusal.description == "3 of 4 sends per network in 3600 s, 1 \(Self.reserve)")
            #expect(refusal.retryAfter == .seconds(900 - 180))
            // Another network, and this network in another project, are unaffected.
            #expect(authenticator.in(project).send(to: fictionalNumber(3), client: 2).outcome == .opened)
            let other = Project(id: "other-app", authorizedDomains: [])
            #expect(authenticator.in(other).send(to: fictionalNumber(3)).outcome == .opened)
            deployment.clock.advance(by: .seconds(700))
            #expect(
                try ExceededRateLimit.of(authenticator.in(project).send(to: fictionalNumber(4))).retryAfter
                    == .seconds(20)
            )
            deployment.clock.advance(by: .seconds(20))
            #expect(authenticator.in(project).send(to: fictionalNumber(4)).outcome == .opened)
            #expect(
                try ExceededRateLimit.of(authenticator.in(project).send(to: fictionalNumber(5))).retryAfter
                    == .seconds(900)
            )
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
            for index in 0..<3 { #expect(send(index, from: "2001:db8:1:\(index)::1").outcome == .opened) }
            let fourth = try ExceededRateLimit.of(send(3, from: "2001:db8:1:ff::1"))
            #expect(fourth.description == "3 of 4 sends per network /56 in 3600 s, 1 \(Self.reserve)")
            for index in 3..<11 { #expect(send(index, from: "2001:db8:1:\(index)00::1").outcome == .opened) }
            let twelfth = try ExceededRateLimit.of(send(11, from: "2001:db8:1:ff00::1"))
            #expect(twelfth.description == "11 of 16 sends per network /48 in 3600 s, 5 \(Self.reserve)")
            #expect(send(11, from: "2001:db8:2::1").outcome == .opened)
        }

        @Test("a client with a /48 gets at most a tenth of a project's messages, so others can send at once")
        func tenth() throws {
            let deployment = try Deployment { $0.sendsPerProjectPerHour = 60 }
            let project = Project(id: "demo-app", authorizedDomains: [], unassignedNumbers: .allowed)
            let operation = deployment.authenticator().in(project)
            let (neighbor, elsewhere) = ("2001:db8:1:ffff::1", "2001:db8:2::1")
            func send(_ number: String, from address: String) -> SendOutcome {
                operation.send(to: number, address: address)
            }
            for (index, address) in [neighbor, elsewhere].enumerated() {
                let session = try #require(send(fictionalNumber(index), from: address).sessionInfo)
                _ = try operation.signIn(session, try operation.code(of: session), request: "r-\(index)")
            }
            let phoneNumbers = PhoneNumbers()
            let numbers = phoneNumbers.data.regions.compactMap { region in
                try? phoneNumbers.read(typed: region.example, in: region.region).reading.get().number.text
            }
            let outcomes = numbers.prefix(59).enumerated().map { index, number in
                send(number, from: "2001:db8:1:\(String(index, radix: 16))::1")
            }
            // The network has 6, 2 of them reserved, and its neighbor used one.
            #expect(outcomes.filter { $0.outcome == .opened }.count == 3)
            let refusal = try ExceededRateLimit.of(outcomes[58])
            #expect(refusal.description == "4 of 6 sends per network /48 in 3600 s, 2 \(Self.reserve)")
            // Known clients can send, even in this network, and so can new ones in other networks.
            #expect(send(fictionalNumber(0), from: neighbor).outcome == .opened)
            #expect(send(fictionalNumber(1), from: elsewhere).outcome == .opened)
            #expect(send(fictionalNumber(2), from: "192.0.2.1").outcome == .opened)
        }

        @Test("a network gets at most a tenth of a project's messages of a day, however they are spread over the hours")
        func tenthOfDay() throws {
            let deployment = try Deployment { $0.sendsPerProjectPerDay = 20 }
            let operation = deployment.authenticator().in(deployment.project)
            for client in 1...2 {
                #expect(operation.send(to: fictionalNumber(client), client: client).outcome == .opened)
                let refused = try ExceededRateLimit.of(operation.send(to: fictionalNumber(9), client: client))
                #expect(refused.description == "1 of 2 sends per network in 86400 s, 1 \(Self.reserve)")
                #expect(refused.retryAfter == .seconds(43_200))
            }
        }

        private static let reserve = "of them reserved for known clients and requests with the account's ID token"

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
            #expect(refusal.retryAfter == .seconds(1800))
            #expect(send(3, by: 1).outcome == .opened)
            deployment.clock.advance(by: .seconds(1800))
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
                $0.sendsPerProjectPerHour = 10
                $0.sendsPerProjectPerDay = 3
            }
            let authenticator = deployment.authenticator()
            let first = try authenticator.in(deployment.project).session(for: fictionalNumber(0))
            let counted = deployment.contents().filter { $0.key.contains("rate") }
            for _ in 0..<5 {
                #expect(authenticator.in(deployment.project).send(to: fictionalNumber(0)) == .sent(first, .reentered))
            }
            #expect(deployment.contents().filter { $0.key.contains("rate") } == counted)
            #expect(authenticator.in(deployment.project).send(to: fictionalNumber(1), client: 2).outcome == .opened)
            _ = try ExceededRateLimit.of(authenticator.in(deployment.project).send(to: fictionalNumber(2), client: 3))
            #expect(authenticator.in(deployment.project).send(to: fictionalNumber(0)) == .sent(first, .reentered))
        }

        @Test("test numbers are exempt from all of these limits")
        func testNumbers() throws {
            let deployment = try Deployment {
                $0.sendsPerNetworkPerHour = 1
                $0.sendsPerProjectPerHour = 1
                $0.sendsPerProjectPerDay = 1
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

        @Test("a project's messages of an hour and of a day are limited, a part of them reserved for known clients")
        func quotas() throws {
            let deployment = try Deployment {
                $0.sendsPerProjectPerHour = 50
                $0.sendsPerProjectPerDay = 80
            }
            let operation = deployment.authenticator().in(deployment.project)
            func send(_ index: Int) -> SendOutcome { operation.send(to: fictionalNumber(index), client: index) }
            _ = try operation.signIn(fictionalNumber(0), client: 0)
            for index in 1...34 { #expect(send(index).outcome == .opened) }
            let ofHour = try ExceededRateLimit.of(send(35))
            #expect(ofHour.description == "35 of 50 sends per project in 3600 s, 15 \(Self.reserve)")
            #expect(ofHour.retryAfter == .seconds(72))
            #expect(send(0).outcome == .opened)
            let other = Project(id: "other-app", authorizedDomains: [])
            #expect(deployment.authenticator().in(other).send(to: fictionalNumber(3)).outcome == .opened)

            // In this time, the hour gets back 35 messages, and the day two.
            deployment.clock.advance(by: .seconds(2520))
            for index in 35...56 { #expect(send(index).outcome == .opened) }
            let ofDay = try ExceededRateLimit.of(send(57))
            #expect(ofDay.description == "56 of 80 sends per project in 86400 s, 24 \(Self.reserve)")
        }

        @Test("a quota of 0 means no limit, and nothing is counted")
        func unlimited() throws {
            let deployment = try Deployment {
                $0.sendsPerProjectPerHour = 0
                $0.sendsPerProjectPerDay = 0
            }
            let authenticator = deployment.authenticator()
            for index in 0..<20 {
                #expect(authenticator.in(deployment.project).send(to: fictionalNumber(index)).outcome == .opened)
            }
            #expect(deployment.keyNames(matching: "*:rate:send:all:*") == [])
        }
    }
}
