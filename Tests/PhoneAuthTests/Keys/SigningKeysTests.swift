import Encodings
import Testing

@testable import PhoneAuth

/// Schedules of signing keys. Times are seconds after an arbitrary start.
@Suite struct SigningKeysTests {
    private static let start: Int64 = 1_800_000_000

    private static func time(_ seconds: Int64) -> Instant { Instant(milliseconds: (start + seconds) * 1000) }

    private static func keys(_ periods: [(String, Int64?)]) throws -> SigningKeys {
        try #require(SigningKeys(try self.periods(periods)))
    }

    private static func periods(_ periods: [(String, Int64?)]) throws -> [SigningKeys.Period] {
        try periods.map { id, seconds in
            let key = try #require(
                SigningKey(id: id, privateKey: TestKeys.privateKey, certificate: "-----BEGIN CERTIFICATE-----")
            )
            return SigningKeys.Period(key: key, signsFrom: seconds.map(time))
        }
    }

    private static func described(_ state: SigningKeyState) -> String {
        func seconds(_ time: Instant) -> Int64 { time.seconds - start }
        return switch state {
        case .next(let time): "next \(seconds(time))"
        case .signing(nil): "signing"
        case .signing(let time?): "signing \(seconds(time))"
        case .verifying(let time): "verifying \(seconds(time))"
        case .retirable(let time): "retirable \(seconds(time))"
        }
    }

    @Test(
        "a key waits, signs, verifies until its last token has expired, and can then be retired",
        arguments: [
            (-60, ["signing -50", "next 0", "next 100"]), (-50, ["signing -50", "next 0", "next 100"]),
            (-1, ["signing -50", "next 0", "next 100"]), (0, ["verifying 1209900", "signing 0", "next 100"]),
            (99, ["verifying 1209900", "signing 0", "next 100"]),
            (100, ["verifying 1209900", "verifying 1210000", "signing 100"]),
            (1_209_899, ["verifying 1209900", "verifying 1210000", "signing 100"]),
            (1_209_900, ["retirable 1209900", "verifying 1210000", "signing 100"]),
            (1_209_999, ["retirable 1209900", "verifying 1210000", "signing 100"]),
            (1_210_000, ["retirable 1209900", "retirable 1210000", "signing 100"]),
        ] as [(Int64, [String])]
    )
    func states(now: Int64, expected: [String]) throws {
        let keys = try Self.keys([("b", 0), ("c", 100), ("a", -50)])
        let states = keys.states(at: Self.time(now))
        #expect(states.map(\.id) == ["a", "b", "c"])
        #expect(states.map { Self.described($0.state) } == expected)
        #expect(keys.published.map(\.id) == ["a", "b", "c"])
        let signing = try #require(states.first { Self.described($0.state).hasPrefix("signing") })
        #expect(keys.signing(at: Self.time(now)).id == signing.id)
    }

    @Test("exactly one key signs at any time, and the signing key only moves forward")
    func oneSigns() throws {
        let keys = try Self.keys([("a", nil), ("b", 7), ("c", 7), ("d", 20)])
        var last = "a"
        for now in Int64(-10)...30 {
            let states = keys.states(at: Self.time(now))
            let signing = states.filter { Self.described($0.state).hasPrefix("signing") }.map(\.id)
            #expect(signing == [keys.signing(at: Self.time(now)).id])
            #expect(signing[0] >= last)
            last = signing[0]
        }
        #expect(last == "d")
        // Of two keys with the same start, the later one in the file signs.
        #expect(keys.signing(at: Self.time(7)).id == "c")
    }

    @Test("a key without a start has always signed, and two such keys or a repeated id are rejected")
    func always() throws {
        #expect(Self.described(try Self.keys([("a", nil)]).states(at: Self.time(0))[0].state) == "signing")
        #expect(SigningKeys(try Self.periods([("a", nil), ("b", nil)])) == nil)
        #expect(SigningKeys(try Self.periods([("a", 0), ("a", 1)])) == nil)
        #expect(SigningKeys([]) == nil)
    }

    @Test("a new key signs only once every verifier that honors max-age has it")
    func lead() {
        for seconds in [1, 2, 10, 60, 3600, 86_400] {
            var policy = Policy()
            policy.publicKeyCacheLifetime = .seconds(seconds)
            let margin = policy.signingKeyLead - policy.publicKeyCacheLifetime
            #expect(margin >= .seconds(2) && margin >= .seconds(seconds) / 10)
        }
        for lifetime in [IDToken.lifetime, SessionCookie.lifetimes.upperBound] {
            #expect(SigningKeys.memory >= lifetime + .seconds(60))
        }
    }
}
