import Encodings
import MessageTexts
import PhoneNumbers
import RedisScripts
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    /// What messages cost: a price for each SMS segment, at each gateway that accepts the message.
    @Suite struct MessagePriceTests {
        private let deployment: Deployment
        private let authenticator: Authenticator
        private let number = "+16505550172"

        init() throws {
            deployment = try Deployment {
                $0.tollFraud.mode = .enforce
                $0.routing = RoutingPolicy(
                    routes: NumberTable(
                        fallback: [.init(name: "first", channel: .sms), .init(name: "second", channel: .sms)]
                    )
                )
                $0.tollFraud.prices = MessagePrices(
                    prices: [
                        "first": NumberTable(fallback: Money(micros: 10_000)),
                        "second": NumberTable(fallback: Money(micros: 25_000)),
                    ],
                    caps: NumberTable(regions: ["US": Money(micros: 55_000)], fallback: Money(micros: 9_000_000))
                )
            }
            authenticator = deployment.authenticator()
            try authenticator.prepare(.messages)
        }

        /// Returns a project whose English messages have this many segments.
        private func project(segments: Int) throws -> Project {
            let text = "{code}" + String(repeating: ".", count: segments == 1 ? 100 : 153 * segments - 6)
            let messages = try MessageTemplates(overrides: [(language: "en", template: text)])
            return Project(id: "demo-app", authorizedDomains: ["localhost"], messages: messages)
        }

        private func spent() throws -> [Int64] {
            try authenticator.in(deployment.project).spendingToday().map(\.spent.micros)
        }

        private func ledger(_ project: Project) throws -> [String: [Int64]] {
            let lines = try authenticator.in(project).messageReport(days: 1).lines
            let counts = lines.map { ($0.gateway, [$0.sent, $0.verified, $0.spent.micros]) }
            return Dictionary(uniqueKeysWithValues: counts)
        }

        private func owed(_ project: Project) throws -> Int {
            try authenticator.store.debt(
                of: .region("US", of: project.id),
                deployment.policy.tollFraud.bounds,
                now: deployment.clock.now.milliseconds
            )
        }

        private func message() throws -> PendingMessage {
            try #require(try authenticator.take(PendingMessage.self, for: "test", wait: .milliseconds(1)).first)
        }

        private func accept(_ message: PendingMessage, by gateway: String, _ project: Project) throws {
            let segments = message.text(in: project).size.segments
            let result = MessageResult.accepted(
                gateway: gateway,
                receiptWithin: .seconds(300),
                segments: segments
            )
            try authenticator.finish(message, result, refusedBy: [])
        }

        @Test("a message of several segments costs the price of each, and is reported with it", arguments: [1, 2, 3])
        func segments(count: Int) throws {
            let project = try project(segments: count)
            #expect(authenticator.in(project).send(to: number).outcome == .opened)
            let price = Int64(count) * 10_000
            #expect(try spent() == [price])
            let message = try message()
            #expect(message.text(in: project).size.segments == count)
            try accept(message, by: "first", project)
            #expect(try spent() == [price])
            #expect(try ledger(project) == ["first": [1, 0, price]])
        }

        @Test("the daily cap stops messages by their segments")
        func cap() throws {
            let project = try project(segments: 2)
            for index in 0..<2 {
                let sent = authenticator.in(project).send(to: fictionalNumber(index), client: index + 1)
                #expect(sent.outcome == .opened)
            }
            let denied = authenticator.in(project).send(to: fictionalNumber(2), client: 9)
            guard case .steppedUp(let stepUp) = denied else { return #expect(Bool(false), "\(denied)") }
            #expect(stepUp.cause == .spending(spent: 40_000, cap: 55_000) && stepUp.level == .denied)
        }

        @Test("another gateway's price replaces the expected one, for each segment")
        func otherGateway() throws {
            let project = try project(segments: 2)
            #expect(authenticator.in(project).send(to: number).outcome == .opened)
            try accept(try message(), by: "second", project)
            #expect(try spent() == [50_000])
            #expect(try ledger(project) == ["second": [1, 0, 50_000]])
        }

        @Test("a message that the next gateway sends again costs again and counts in its ranges again")
        func sentAgain() throws {
            let project = try project(segments: 2)
            let session = try authenticator.in(project).session(for: number)
            let first = try message()
            try accept(first, by: "first", project)
            #expect(try owed(project) == 1)
            _ = try authenticator.followUp(first.id.text, isDelivered: false, reportedBy: "first")
            let again = try message()
            #expect(try owed(project) == 1)
            try accept(again, by: "second", project)
            #expect(try owed(project) == 2)
            #expect(try spent() == [70_000])
            #expect(try ledger(project) == ["first": [1, 0, 20_000], "second": [1, 0, 50_000]])
            // The correct code pays for both.
            let code = try authenticator.in(project).code(of: session)
            #expect(authenticator.in(project).answer(session, code, request: "1").uid != nil)
            #expect(try owed(project) <= 0)
            #expect(try ledger(project)["second"]?[1] == 2)
        }

        @Test("a message that is sent again counts once, although two dispatchers finish it, or not at all")
        func finishedTwice() throws {
            let project = try project(segments: 1)
            let session = try authenticator.in(project).session(for: number)
            let first = try message()
            try accept(first, by: "first", project)
            _ = try authenticator.followUp(first.id.text, isDelivered: false, reportedBy: "first")
            let again = try message()
            for _ in 0..<2 { try accept(again, by: "second", project) }
            #expect(try owed(project) == 2)
            #expect(try spent() == [35_000])
            _ = try authenticator.followUp(again.id.text, isDelivered: false, reportedBy: "second")
            let last = try message()
            // No gateway is left: nothing was counted for this attempt, so nothing is taken back.
            try authenticator.finish(last, .dead(reason: "all gateways of the route failed"), refusedBy: [])
            #expect(try owed(project) == 2)
            #expect(try spent() == [35_000])
            _ = session
        }

        @Test("a message that is accepted again after the correct code leaves no debt")
        func afterCode() throws {
            let project = try project(segments: 1)
            let session = try authenticator.in(project).session(for: number)
            let first = try message()
            try accept(first, by: "first", project)
            _ = try authenticator.followUp(first.id.text, isDelivered: false, reportedBy: "first")
            let again = try message()
            let code = try authenticator.in(project).code(of: session)
            #expect(authenticator.in(project).answer(session, code, request: "1").uid != nil)
            let before = try owed(project)
            try accept(again, by: "second", project)
            #expect(try owed(project) == before)
        }

        @Test("a known client's message that is sent again counts in no range")
        func knownClient() throws {
            let project = try project(segments: 1)
            _ = try authenticator.in(project).signIn(number)
            _ = try authenticator.take(PendingMessage.self, for: "test", wait: .milliseconds(1)).map {
                try accept($0, by: "first", project)
            }
            let before = try owed(project)
            _ = try authenticator.in(project).session(for: number)
            let first = try message()
            try accept(first, by: "first", project)
            _ = try authenticator.followUp(first.id.text, isDelivered: false, reportedBy: "first")
            try accept(try message(), by: "second", project)
            #expect(try owed(project) == before)
        }
    }
}
