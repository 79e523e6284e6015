import Encodings
import MessageTexts
import PhoneNumbers
import RedisScripts
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    /// Which gateways get a message first: by the user's request, by the rule for messages that are sent again, and by
    /// their verified shares.
    @Suite struct MessageRouteTests {
        private let deployment: Deployment
        private let authenticator: Authenticator
        private let number = "+16505550173"

        private static let routes = NumberTable<[RoutingPolicy.Gateway]>(
            regions: ["GB": [.init(name: "text", channel: .sms)]],
            fallback: [
                .init(name: "text", channel: .sms), .init(name: "chat", channel: .whatsapp),
                .init(name: "call", channel: .voice), .init(name: "cheap", channel: .voice),
            ]
        )

        init() throws {
            (deployment, authenticator) = try Self.deployment()
        }

        private static func deployment(
            _ routes: NumberTable<[RoutingPolicy.Gateway]> = Self.routes,
            resendChannels: NumberTable<MessageChannel>? = nil,
            exploration: Int = 0,
            cap: Int64? = nil
        ) throws -> (Deployment, Authenticator) {
            let deployment = try Deployment {
                $0.routing = RoutingPolicy(routes: routes, resendChannels: resendChannels, exploration: exploration)
                $0.tollFraud.mode = exploration > 0 ? .record : .enforce
                $0.tollFraud.prices = MessagePrices(
                    prices: [
                        "text": NumberTable(fallback: Money(micros: 10_000)),
                        "call": NumberTable(fallback: Money(micros: 30_000)),
                        "cheap": NumberTable(fallback: Money(micros: 20_000)),
                    ],
                    caps: cap.map { NumberTable(fallback: Money(micros: $0)) }
                )
            }
            let authenticator = deployment.authenticator()
            try authenticator.prepare(.messages)
            return (deployment, authenticator)
        }

        /// Returns the gateways that go first and the reasons of the queued message, and what it costs.
        private func next(_ authenticator: Authenticator) throws -> (route: String, message: PendingMessage) {
            let messages = try authenticator.take(PendingMessage.self, for: "test", wait: .milliseconds(1))
            let message = try #require(messages.first)
            let first = message.route.first.joined(separator: ",")
            return ("\(first) \(message.route.reasonText) \(message.queued.countedPrice)", message)
        }

        @Test("the gateways of the requested channel go first, and the message costs what the first one takes")
        func requested() throws {
            let operation = authenticator.in(deployment.project)
            #expect(operation.send(to: number, channel: .voice).outcome == .opened)
            #expect(try next(authenticator).route == "call,cheap requested 30000")
            #expect(operation.send(to: number, client: 2, channel: .whatsapp).outcome == .opened)
            #expect(try next(authenticator).route == "chat requested 0")
            // The channel of the settings is not a reason.
            #expect(operation.send(to: number, client: 3, channel: .sms).outcome == .opened)
            #expect(try next(authenticator).route == " settings 10000")
            #expect(operation.send(to: number, client: 4).outcome == .opened)
            #expect(try next(authenticator).route == " settings 10000")
            #expect(try operation.spendingToday().map(\.spent.micros) == [50_000])
        }

        @Test("a channel that the number's route does not have is refused, and nothing is sent or counted")
        func unavailable() throws {
            let operation = authenticator.in(deployment.project)
            #expect(operation.send(to: number, channel: .telegram) == .channelNotAvailable(.telegram))
            #expect(operation.send(to: "+442079460173", channel: .voice) == .channelNotAvailable(.voice))
            #expect(deployment.keyNames() == [KeyNames.outbox(.messages, of: deployment.project.id)])
        }

        @Test("a call to a test number is refused like that to any other number of its region")
        func testNumber() throws {
            let operation = authenticator.in(deployment.project)
            try operation.setTestNumber("+442079460173", code: try #require(VerificationCode("271828")))
            #expect(operation.send(to: "+442079460173", channel: .voice) == .channelNotAvailable(.voice))
            #expect(operation.send(to: "+442079460173", channel: .sms).outcome == .testNumber)
        }

        @Test("a message that is sent again goes first to the rule's channel, unless the user requests another one")
        func resend() throws {
            let rule = NumberTable<MessageChannel>(regions: ["US": .voice], fallback: .sms)
            let (deployment, authenticator) = try Self.deployment(resendChannels: rule)
            let operation = authenticator.in(deployment.project)
            #expect(operation.send(to: number).outcome == .opened)
            #expect(try next(authenticator).route == " settings 10000")
            deployment.endLocks()
            #expect(operation.send(to: number).outcome == .resent)
            #expect(try next(authenticator).route == "call,cheap resend 30000")
            deployment.endLocks()
            #expect(operation.send(to: number, channel: .whatsapp).outcome == .resent)
            #expect(try next(authenticator).route == "chat requested 0")
            // Another client's first message is not sent again.
            #expect(operation.send(to: number, client: 2).outcome == .opened)
            #expect(try next(authenticator).route == " settings 10000")
            #expect(try operation.spendingToday().map(\.spent.micros) == [50_000])
        }

        @Test("calls count in the number's limits and in the region's spending cap, and may be refused by either")
        func limits() throws {
            let (deployment, authenticator) = try Self.deployment(cap: 95_000)
            let operation = authenticator.in(deployment.project)
            for client in 1...3 {
                #expect(operation.send(to: number, client: client, channel: .voice).outcome == .opened)
            }
            let refused = operation.send(to: number, client: 4, channel: .voice)
            guard case .steppedUp(let stepUp) = refused else { return #expect(Bool(false), "\(refused)") }
            #expect(stepUp.cause == .spending(spent: 90_000, cap: 95_000) && stepUp.level == .denied)

            let calls = self.authenticator.in(self.deployment.project)
            for client in 1...5 {
                #expect(calls.send(to: number, client: client, channel: .voice).outcome == .opened)
            }
            let sixth = calls.send(to: number, client: 6, channel: .voice)
            #expect(sixth == .limited(window: .seconds(3600), retryAfter: .seconds(3600)))
        }

        @Test("a call costs its price whatever the length of the text, and has its channel in record and report")
        func price() throws {
            let messages = try MessageTemplates(overrides: [("en", "{code}" + String(repeating: ".", count: 300))])
            let project = Project(id: "demo-app", authorizedDomains: ["localhost"], messages: messages)
            let operation = authenticator.in(project)
            #expect(operation.send(to: number, channel: .voice, request: "7").outcome == .opened)
            let (route, message) = try next(authenticator)
            #expect(route == "call,cheap requested 30000")
            let result = MessageResult.accepted(gateway: "call", receiptWithin: .seconds(60), segments: 2)
            try authenticator.finish(message, result, refusedBy: [])
            #expect(try operation.spendingToday().map(\.spent.micros) == [30_000])
            let line = try #require(try operation.messageReport(days: 1).lines.first)
            #expect(line.gateway == "call" && line.channel == .voice && line.spent == Money(micros: 30_000))
            // A message that is sent again keeps its route.
            _ = try authenticator.followUp(message.id.text, isDelivered: false, reportedBy: "call")
            #expect(try next(authenticator).message.route == message.route)
            let record = try #require(try authenticator.store.message(message.id, in: .messages))
            #expect(record.channel == "voice" && record.route == message.route)
        }

        // MARK: Exploration

        /// Sends messages of which each gateway's share of ten is verified, and returns how many each got first.
        private func traffic(
            _ count: Int,
            _ deployment: Deployment,
            _ authenticator: Authenticator,
            verifiedBy share: [String: Int]
        ) throws -> [String: Int] {
            var sent: [String: Int] = [:]
            for index in 0..<count {
                let (number, client) = (fictionalNumber(index % 100), 1 + index % 250)
                let session = try #require(
                    authenticator.in(deployment.project).send(to: number, client: client, channel: .voice).sessionInfo
                )
                let message = try next(authenticator).message
                let gateway = message.route.first.first ?? "call"
                sent[gateway, default: 0] += 1
                try authenticator.finish(message, .accepted(gateway: gateway, receiptWithin: nil), refusedBy: [])
                if sent[gateway, default: 0] % 10 < share[gateway] ?? 0 {
                    let code = try authenticator.in(deployment.project).code(of: session)
                    #expect(authenticator.in(deployment.project).answer(session, code, request: "\(index)").uid != nil)
                }
                deployment.clock.advance(by: .seconds(600))
            }
            return sent
        }

        @Test("the gateway of the channel whose codes are verified more often goes first, and the others get the share")
        func exploration() throws {
            let (deployment, authenticator) = try Self.deployment(exploration: 20)
            let shares = ["call": 1, "cheap": 10]
            let sent = try traffic(100, deployment, authenticator, verifiedBy: shares)
            #expect(sent["cheap"] ?? 0 >= 10 && sent["call"] ?? 0 >= 5, "\(sent)")
            let later = try traffic(100, deployment, authenticator, verifiedBy: shares)
            #expect(later["cheap"] ?? 0 >= 65 && later["call"] ?? 0 >= 5, "\(later)")
            // Messages of another channel or region keep their order.
            #expect(authenticator.in(deployment.project).send(to: "+442079460173").outcome == .opened)
            #expect(try next(authenticator).route == " settings 10000")
            let counts = KeyNames.gatewayCounts(deployment.project.id)
            #expect(Int(deployment.cli("TTL", counts)) ?? 0 > 86_400)
            // Nothing is left of the counts after weeks.
            deployment.clock.advance(by: .seconds(30 * 86_400))
            let shares30 = GatewayShares(
                stored: try authenticator.store.projectSettings(of: deployment.project.id).gatewayCounts,
                now: deployment.clock.now.milliseconds
            )
            #expect(shares30.choice(of: ["call", "cheap"], in: "US", exploration: 0, random: 0).index == 0)
        }

        @Test("a gateway that costs more than the route's first one never goes first in a region with a spending cap")
        func explorationUnderCap() throws {
            let gateways = ["cheap", "call"].map { RoutingPolicy.Gateway(name: $0, channel: .voice) }
            for cap in [nil, 1_000_000_000] as [Int64?] {
                let routes = NumberTable(fallback: gateways)
                let (deployment, authenticator) = try Self.deployment(routes, exploration: 50, cap: cap)
                var explored = 0
                for client in 1...40 {
                    let number = fictionalNumber(client)
                    #expect(authenticator.in(deployment.project).send(to: number, client: client).outcome == .opened)
                    let (route, _) = try next(authenticator)
                    if route == "call explored 30000" { explored += 1 } else { #expect(route == " settings 20000") }
                }
                #expect(cap == nil ? explored > 5 : explored == 0)
            }
        }
    }
}
