import Testing
import TestServers

@testable import PhoneAuth
@testable import RedisScripts

@Suite struct IdentifierClaimTests {
    let test: TestStore

    init() throws {
        test = try TestStore()
    }

    @Test(
        "a claim contains its account and time, whatever the uid",
        arguments: ["uid", "a b", " ", "1-x 2", "é:", ""]
    )
    func text(uid: String) throws {
        let claim = test.claim(1, uid: uid)
        #expect(try IdentifierClaim(text: claim.text) == claim)
        #expect(claim.seconds == test.now / 1000)
        #expect(try IdentifierClaim.current("") == nil)
        #expect(throws: StoreUnavailable.self) { try IdentifierClaim(text: "uid") }
    }

    @Test("Redis stores the claim of a generated uid in one allocation with the value's header")
    func allocation() throws {
        let uid = String(repeating: "u", count: 28)
        let claim = IdentifierClaim(uid: uid, seconds: test.now / 1000, randomBytes: [255, 255, 255, 255, 255, 255])
        _ = try test.store.claimIdentifier(test.phone, claim, replacing: nil)
        #expect(test.redis.cli("OBJECT", "ENCODING", KeyNames.identifier(test.phone)) == "embstr")
    }
}
