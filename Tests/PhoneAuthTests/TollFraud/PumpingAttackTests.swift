import Encodings
import PhoneNumbers
import RedisScripts
import Testing
import TestServers

@testable import PhoneAuth

extension PhoneAuthTests {
    /// A simulation of SMS pumping: 36 hours of legitimate sign-ins, and in the last 24 an attacker who profits from
    /// messages to certain numbers. The attacker knows the rules: each request comes from another network and has
    /// solved the hard challenge.
    @Suite struct PumpingAttackTests {
        /// The messages of the attack that were sent, and the effect on honest users.
        struct Result {
            var attempted = Money.zero
            var paid = Money.zero
            var honest = 0
            var denied = 0
            var challenged = 0

            var costCut: Double { 100 * (1 - Double(paid.micros) / Double(attempted.micros)) }
            var hindered: Double { 100 * Double(denied + challenged) / Double(honest) }
        }

        @Test(
            "at least 95 % of an SMS pumping attack's cost is avoided, and at most 1 % of honest users affected",
            arguments: [Attack.blocks, .blocksAtHome, .region]
        )
        func attack(_ attack: Attack) throws {
            let result = try Simulation(attack).run()
            print(
                "\(attack.rawValue): \(attack.sendsPerHour) messages an hour for a day, worth \(result.attempted); "
                    + "\(result.costCut.oneDecimal) % of it cut; of \(result.honest) honest requests "
                    + "\(result.denied) denied and \(result.challenged) challenged, \(result.hindered.oneDecimal) %"
            )
            #expect(result.costCut >= 95)
            #expect(result.hindered <= 1)
        }
    }

    /// The numbers that an attack targets.
    enum Attack: String {
        case blocks = "a dozen blocks of costly regions"
        case blocksAtHome = "a dozen blocks of a region with honest users"
        case region = "all of a costly region"

        var sendsPerHour: Int { 1000 }

        func number(_ random: inout SplitMix) -> String {
            let four = Int.random(in: 1000...9999, using: &random)
            switch self {
            case .blocks:
                let block = Int.random(in: 0..<4, using: &random)
                let blocks = ["+37120\(block)7", "+21620\(block)7", "+99890\(block)777"]
                return blocks[Int.random(in: 0..<3, using: &random)] + "\(four)"
            case .blocksAtHome: return "+447400\(10 + Int.random(in: 0..<12, using: &random))\(four)"
            case .region:
                return "+2162\(Int.random(in: 0...9, using: &random))\(Int.random(in: 10...99, using: &random))\(four)"
            }
        }
    }
}

/// One run, whose time the simulation advances.
private final class Simulation {
    typealias Attack = PhoneAuthTests.Attack

    private static let honestPerHour = 150
    private static let hours = 36
    private static let hoursBefore = 12

    /// Most of the numbers are invented, so some of them are not assigned.
    private let project = Project(id: "demo-app", authorizedDomains: ["localhost"], unassignedNumbers: .allowed)
    private let attack: Attack
    private let deployment: Deployment
    private let authenticator: Authenticator
    /// An authenticator that requires no proof treats every client as one that solved the hard challenge.
    private let attacker: Authenticator
    private var random = SplitMix(seed: 7)
    private var result = PhoneAuthTests.PumpingAttackTests.Result()
    /// Sessions whose code an honest user will enter, by the second of the entry.
    private var answers: [Int: [String]] = [:]

    init(_ attack: Attack) throws {
        self.attack = attack
        deployment = try Deployment { $0.tollFraud.mode = .enforce }
        authenticator = deployment.authenticator(appVerification: .required)
        attacker = deployment.authenticator()
    }

    func run() throws -> PhoneAuthTests.PumpingAttackTests.Result {
        for second in 0..<(Self.hours * 3600) {
            let start = deployment.clock.now
            for session in answers.removeValue(forKey: second) ?? [] { try answer(session) }
            if Int.random(in: 0..<3600, using: &random) < Self.honestPerHour { try honestRequest(second) }
            if second >= Self.hoursBefore * 3600, Int.random(in: 0..<3600, using: &random) < attack.sendsPerHour {
                attackRequest()
            }
            deployment.clock.advance(by: .seconds(1) - (deployment.clock.now - start))
        }
        return result
    }

    /// Simulates a new user. Of a hundred users, 85 enter their code after 20 s to two minutes.
    private func honestRequest(_ second: Int) throws {
        result.honest += 1
        let token = try ordinaryToken()
        switch send(to: honestNumber(), by: authenticator, provenBy: .challengeToken(token)) {
        case .sent(let session, _):
            guard Int.random(in: 0..<100, using: &random) < 85 else { return }
            answers[second + Int.random(in: 20...120, using: &random), default: []].append(session)
        case .steppedUp(let stepUp) where stepUp.level == .challenged: result.challenged += 1
        case .steppedUp: result.denied += 1
        case let other: Issue.record("\(other)")
        }
    }

    /// Returns a number of one of a few regions, which rarely is one under attack.
    private func honestNumber() -> String {
        func digits(_ count: Int) -> String {
            (0..<count).map { _ in "\(Int.random(in: 0...9, using: &random))" }.joined()
        }
        switch Int.random(in: 0..<1000, using: &random) {
        case ..<400: return "+1\([212, 310, 415, 617, 702][Int.random(in: 0..<5, using: &random)])5\(digits(6))"
        case ..<700: return "+447\(Int.random(in: 4...9, using: &random))\(digits(8))"
        case ..<995: return "+4915\(Int.random(in: 1...7, using: &random))\(digits(8))"
        default: return "+2162\(digits(7))"
        }
    }

    private func attackRequest() {
        let number = attack.number(&random)
        let price = Money(micros: attack == .blocksAtHome ? 40_000 : 200_000)
        result.attempted = result.attempted + price
        if send(to: number, by: attacker, provenBy: .absent).outcome != nil { result.paid = result.paid + price }
    }

    private func send(
        to number: String,
        by authenticator: Authenticator,
        provenBy credential: AppCredential
    ) -> SendOutcome {
        let network = "\(Int.random(in: 0...9999, using: &random)):\(Int.random(in: 0...9999, using: &random))"
        return authenticator.in(project).send(to: number, address: "2001:db8:\(network)::1", provenBy: credential)
    }

    private func ordinaryToken() throws -> String {
        try authenticator.in(project, request: "issue").issueChallengeToken(
            for: SolvedChallenge(id: deployment.clock.randomBytes(16), solvableFor: .seconds(60), isHard: false),
            to: .web
        )
    }

    private func answer(_ session: String) throws {
        _ = try authenticator.in(project).signIn(
            session,
            try authenticator.in(project).code(of: session),
            request: session
        )
    }
}

extension Double {
    fileprivate var oneDecimal: String { "\((self * 10).rounded() / 10)" }
}
