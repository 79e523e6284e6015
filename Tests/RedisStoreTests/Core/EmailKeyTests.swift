import TestServers
import Testing

@testable import RedisStore

/// The rules of ``KeyTests``, for the keys of e-mail addresses.
@Suite struct EmailKeyTests {
    let test: TestStore
    let email = EmailIdentity(project: "demo", hash: "mailhash", shard: Shard(index: 23))
    let network = NetworkIdentity(project: "demo", hash: "net", shard: Shard(index: 5))

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
            reservedForKnownNetworks: 1,
            perNetworkPerHour: 2
        ).limits(for: email, by: ClientNetworks(narrowest: network))
        let decision = try test.store.decide(
            .spending(reserving: limits, eventID: "attempt"),
            from: network,
            of: email,
            now: test.now
        )
        guard case .allowed(.some) = decision else {
            Issue.record("\(decision)")
            return
        }
    }

    @Test("all keys of one address share a hash tag, and the network's counters have another")
    func tags() throws {
        try runEveryScript()
        #expect(
            test.keyNames(matching: "dt:{[en]*}:*") == [
                "dt:{e23}:email:demo:mailhash", "dt:{e23}:wrong-passwords:demo:mailhash",
                "dt:{e23}:wrong-passwords:demo:mailhash:net", "dt:{n5}:wrong-passwords:demo:net",
            ]
        )
    }

    @Test("wrong passwords expire, and the entry that leads to the account does not")
    func timesToLive() throws {
        try runEveryScript()
        #expect(test.redis.cli("PTTL", "dt:{e23}:email:demo:mailhash") == "-1")
        let longest: [String: Int64] = [
            "dt:{e23}:wrong-passwords:demo:mailhash": 86_400_000,
            "dt:{e23}:wrong-passwords:demo:mailhash:net": 86_400_000, "dt:{n5}:wrong-passwords:demo:net": 3_600_000,
        ]
        #expect(test.keyNames(matching: "*:wrong-passwords:*") == longest.keys.sorted())
        for (key, milliseconds) in longest {
            #expect((1...milliseconds).contains(try #require(Int64(test.redis.cli("PTTL", key)))), "\(key)")
        }
    }
}
