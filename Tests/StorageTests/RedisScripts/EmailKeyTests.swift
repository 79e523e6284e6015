import Testing
import TestServers

@testable import PhoneAuth
@testable import RedisScripts

/// The rules of ``KeyTests``, for the keys of e-mail addresses.
@Suite struct EmailKeyTests {
    let test: TestStore
    let email = EmailIdentity(project: "demo", hash: "mailhash", shard: Shard(index: 23))
    let network = NetworkIdentity(project: "demo", hash: "net")

    init() throws {
        test = try TestStore()
    }

    private func runEveryScript() throws {
        let account = try test.signIn(3).account
        let claim = test.claim(7, uid: account.uid)
        #expect(try test.store.proposeIdentifier(.email, [1], claim, to: account) == .proposed)
        #expect(try test.store.claimIdentifier(email, claim, replacing: nil) == claim)
        let isHeld = try test.store.holdsClaim(
            claim,
            of: .email,
            isFresh: true,
            in: "demo",
            markMilliseconds: 60_000,
            audit: nil
        )
        #expect(isHeld)
        let limits = WrongPasswordLimits(
            perEmailAndNetworkPerHour: 2,
            perEmailPerDay: 2,
            perNetworkPerHour: 2
        ).limits(for: email, by: ClientNetworks(narrowest: network))
        let decision = try test.store.decide(
            RateLimitTransaction(of: "demo", refundable: limits, eventID: "attempt"),
            from: network,
            of: email,
            now: test.now
        )
        guard case .allowed(.some) = decision else {
            Issue.record("\(decision)")
            return
        }
    }

    private static let wrongPasswords: [String: Int64] = [
        "dt:{demo}:wrong-passwords:mailhash": 86_400_000,
        "dt:{demo}:wrong-passwords:by-network:mailhash:net": 86_400_000,
        "dt:{demo}:rate:wrong-password:net:3600000": 1_800_001,
    ]

    @Test("wrong passwords are in the project's slot and expire; the entry that leads to the account does not")
    func keys() throws {
        try runEveryScript()
        #expect(test.redis.cli("PTTL", "dt:{e/23}:email:demo:mailhash") == "-1")
        #expect(test.keyNames(matching: "*:*wrong-password*") == Self.wrongPasswords.keys.sorted())
        for (key, milliseconds) in Self.wrongPasswords {
            #expect((1...milliseconds).contains(try #require(Int64(test.redis.cli("PTTL", key)))), "\(key)")
        }
    }
}
