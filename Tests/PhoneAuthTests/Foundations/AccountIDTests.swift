import Encodings
import Testing

@testable import PhoneAuth

@Suite struct AccountIDTests {
    @Test("an account id has 28 letters and digits, uniformly distributed")
    func form() {
        let environment = SettableEnvironment(seed: 28).environment
        var occurrences: [UInt8: Int] = [:]
        var ids: Set<String> = []
        for _ in 0..<1000 {
            let id = AccountID.make(environment)
            #expect(id.utf8.count == 28)
            ids.insert(id)
            for byte in id.utf8 { occurrences[byte, default: 0] += 1 }
        }
        #expect(ids.count == 1000)
        let alphabet = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
        #expect(Set(occurrences.keys) == alphabet)
        // 61 degrees of freedom: chance exceeds 106 three times in ten thousand.
        let expected = 28_000.0 / 62
        let chiSquare = occurrences.values.reduce(0) {
            $0 + (Double($1) - expected) * (Double($1) - expected) / expected
        }
        #expect(chiSquare < 106)
    }

    @Test("random bytes that would bias the distribution are skipped (rejection sampling)")
    func fairness() {
        // 248 = 4 × 62, so without rejection 248…255 would give A…H a fifth chance.
        var environment = SettableEnvironment(seed: 28).environment
        environment.randomBytes = { count in (0..<count).map { $0 % 2 == 0 ? 248 + UInt8($0 / 2 % 8) : 25 } }
        #expect(AccountID.make(environment) == String(repeating: "Z", count: 28))
    }
}
