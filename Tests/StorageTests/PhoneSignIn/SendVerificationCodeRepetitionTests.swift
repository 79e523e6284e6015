import Testing
import TestServers

@testable import PhoneAuth
@testable import RedisScripts

/// Sends and answers in any order. Some sends are executed again later, as if their replies had been lost.
@Suite struct SendVerificationCodeRepetitionTests {
    private static let lockMilliseconds: Int64 = 60_000
    private static let attempts = 5

    private struct Send {
        let fill: UInt8
        let binding: String
        let at: Int64
        let outcome: VerificationOpening

        /// Whether the call queued a message.
        var isSent: Bool {
            switch outcome {
            case .opened, .resent: true
            default: false
            }
        }
    }

    private let test: TestStore
    private let start = ContinuousClock.now

    init() throws { test = try TestStore() }

    private func messages() -> String { test.redis.cli("XLEN", KeyNames.outbox(.messages, of: "demo")) }

    /// The fields of all sessions, in the order of their keys: reads can change the order of `KEYS`.
    private func sessions() -> String {
        let script = """
            local keys = redis.call('KEYS', ARGV[1])
            table.sort(keys)
            local sessions = {}
            for i, key in ipairs(keys) do sessions[i] = redis.call('HGETALL', key) end
            return sessions
            """
        return test.redis.cli("EVAL", script, "0", KeyNames.anyVerification(of: "demo"))
    }

    private func isOpen(_ session: VerificationID) -> Bool {
        test.redis.cli("HGET", KeyNames.verification(session), "state").hasPrefix("open")
    }

    private func send(_ fill: UInt8, _ binding: String, at now: Int64) throws -> Send {
        let limit = RateLimit.messages(to: test.phone, .hour(12, reserved: 4))
        let limits = [limit, limit.also(in: .day(60, reserved: 20))]
        let outcome = try test.open(fill, binding: binding, at: now, limits: limits)
        return Send(fill: fill, binding: binding, at: now, outcome: outcome)
    }

    /// Lets time pass for all keys, by Redis's clock.
    private func wait(_ milliseconds: Int64) {
        let script = """
            for _, key in ipairs(redis.call('KEYS', '*')) do
              local life = redis.call('PTTL', key)
              if life > 0 then redis.call('PEXPIRE', key, string.format('%d', life - ARGV[1])) end
            end
            """
        test.redis.cli("EVAL", script, "0", String(milliseconds))
    }

    @Test("whatever happens before a send is executed again, it does nothing twice", arguments: [1, 2, 3] as [UInt64])
    func sequence(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        var (waited, sends, repetitions): (Int64, [Send], Int) = (0, [], 0)
        var (wrong, right) = ([UInt8: Int](), Set<UInt8>())
        func now() -> Int64 { test.now + waited + Int64(start.duration(to: .now) / .milliseconds(1)) }
        for step in 0..<200 {
            switch random.next() % 10 {
            case 0...2:
                let (fill, binding) = (UInt8(sends.count), random.next() % 2 == 0 ? "one" : "two")
                let last = sends.last { $0.binding == binding && $0.isSent }
                let session: VerificationID? =
                    if case .resent(let earlier, _)? = last?.outcome { earlier } else {
                        try last.map { try test.sessionID($0.fill) }
                    }
                let isWaitedFor = session.map(isOpen) ?? false
                let before = messages()
                sends.append(try send(fill, binding, at: now()))
                // Redis's clock may have ended the lock only if its life is over even now.
                let isLocked = isWaitedFor && last.map { now() - $0.at < Self.lockMilliseconds } ?? false
                #expect(!isLocked || messages() == before, "step \(step): a second message within a lock")
            case 3...4:
                let recent = sends.filter { $0.isSent && now() - $0.at < Self.lockMilliseconds }
                guard let repeated = recent.suffix(3).randomElement(using: &random) else { continue }
                let before = (messages(), sessions())
                let again = try send(repeated.fill, repeated.binding, at: now())
                #expect(again.isSent, "step \(step): \(again.outcome) after \(repeated.outcome)")
                #expect((messages(), sessions()) == before, "step \(step)")
                repetitions += 1
            case 5...8:
                let opened = sends.filter { if case .opened = $0.outcome { true } else { false } }
                guard let session = opened.suffix(2).randomElement(using: &random)?.fill else { continue }
                let isRight = random.next() % 4 == 0
                switch try test.answer(session, isRight: isRight, request: "request \(step)", at: now()) {
                case .failure(.codeWrong):
                    wrong[session, default: 0] += 1
                    #expect(wrong[session, default: 0] <= Self.attempts, "step \(step)")
                case .success:
                    #expect(right.insert(session).inserted, "step \(step): the code was used before")
                    #expect(wrong[session, default: 0] < Self.attempts, "step \(step): its attempts were spent")
                default: break
                }
            default:
                let pause = [500, 10_000, 70_000, 600_000][Int(random.next() % 4)] as Int64
                wait(pause)
                waited += pause
            }
        }
        #expect(repetitions > 0 && !right.isEmpty && !wrong.isEmpty)
    }
}
