import Testing

@testable import PhoneAuth
@testable import RedisScripts

@Suite struct TemporaryProofsTests {
    let test: TestStore

    init() throws {
        test = try TestStore()
    }

    @Test("a proof is accepted from one request, however often that request is repeated")
    func proofs() throws {
        let id = try #require(TemporaryProofID(project: "demo", bytes: [UInt8](repeating: 7, count: 16)))
        func use(_ request: String, _ proposed: IdentifierClaim? = nil) throws -> String {
            let outcome = try test.store.useTemporaryProof(
                id,
                of: test.phone,
                requestID: request,
                markMilliseconds: 60_000,
                proposed: proposed
            )
            guard case .good(let claim) = outcome else { return "used" }
            return claim?.uid ?? "nobody"
        }
        #expect(try use("a") == "nobody")
        #expect(try use("b", test.claim(1, uid: "uid")) == "used")
        #expect(try test.store.claim(of: test.phone) == nil)
        for _ in 0..<2 { #expect(try use("a", test.claim(1, uid: "uid")) == "uid") }
    }
}
