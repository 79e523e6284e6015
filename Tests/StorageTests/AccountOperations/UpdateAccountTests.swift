import Testing
import TestServers

@testable import PhoneAuth
@testable import RedisScripts

@Suite struct UpdateAccountTests: IdentifierClaimSuite {
    let test: TestStore

    init() throws {
        test = try TestStore()
    }

    @Test("a revocation before the first tokens starts a counter that no earlier account with the uid has had")
    func revocationBeforeTokens() throws {
        var counters: Set<Int64> = [0]
        for round in 1...2 as ClosedRange<UInt8> {
            _ = try test.create("uid", request: "create \(round)")
            let revocation = AccountUpdate(fields: [.validSince: String(test.now / 1000)])
            _ = try test.store.updateAccount(test.identity("uid"), revocation, audit: nil)
            let counter = try #require(try test.store.account(test.identity("uid"))?.revocation)
            #expect(counter > 1 << 49 && counters.insert(counter).inserted)
            guard case .signedIn(let record, _, _) = try test.record(uid: "uid", round, at: test.now).outcome else {
                Issue.record("not signed in")
                return
            }
            #expect(record.revocation == counter)
            _ = try test.store.deleteAccount(
                test.identity("uid"),
                requestID: "delete \(round)",
                markMilliseconds: 60_000,
                audit: nil
            )
        }
    }

    @Test("a change never creates an account, and it releases a number with all its data")
    func update() throws {
        guard
            case .noAccount = try test.store.updateAccount(
                test.identity("uid"),
                AccountUpdate(fields: [.displayName: "x"]),
                audit: nil
            )
        else {
            Issue.record("it was made")
            return
        }
        #expect(test.keyNames(matching: "*:user:*") == [])
        let claim = test.claim(1, uid: "uid")
        _ = try test.record(uid: "uid", 1, at: test.now, claim: claim)
        let update = AccountUpdate(fields: [.displayName: "Ada", .photoURL: nil], removesNumber: true)
        guard
            case .updated(let record, let former) = try test.store.updateAccount(
                test.identity("uid"),
                update,
                audit: nil
            )
        else {
            Issue.record("no account")
            return
        }
        #expect(record.displayName == "Ada" && record.sealedNumber == nil)
        #expect(former.map(\.claim) == [claim] && former.first?.sealed == [1, 2, 3])
        #expect(try !isHeld(claim))
    }
}
