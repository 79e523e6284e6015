import RedisScripts
import Testing

@testable import PhoneAuth

@Suite struct VerificationCodeTests {
    private let keys: ServerKeys
    private let environment = SettableEnvironment(seed: 6)

    init() throws {
        keys = try TestKeys.make()
    }

    private func session() throws -> VerificationID {
        try #require(VerificationID(project: "demo-app", bytes: environment.randomBytes(16)))
    }

    private func code(_ session: VerificationID, _ number: String, _ keys: ServerKeys) -> String {
        VerificationCode(of: session, for: number, purpose: .signIn, under: keys.codes).digits
    }

    @Test("a code is derived from session, number and server key, and differs for each")
    func derivation() throws {
        let others = try TestKeys.make(seed: 2)
        var equal = 0
        for _ in 0..<50 {
            let id = try session()
            let right = code(id, "+16505550101", keys)
            #expect(right == code(id, "+16505550101", keys))
            let differing = [
                code(try session(), "+16505550101", keys), code(id, "+16505550102", keys),
                code(id, "+16505550101", others),
            ]
            equal += differing.filter { $0 == right }.count
        }
        // One pair in a million is equal by chance. The seed is fixed, so this test never fails by chance.
        #expect(equal == 0)
    }

    @Test("a code is invalid for any other purpose, because the hash includes the purpose")
    func purpose() throws {
        let id = try session()
        func digits(_ purpose: String) -> String {
            let hash = keys.codes("code", .text(purpose), .bytes(id.bytes), .text("+16505550101"))
            let text = String(hash.prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) } % 1_000_000)
            return String(repeating: "0", count: 6 - text.count) + text
        }
        #expect(code(id, "+16505550101", keys) == digits("sign-in"))
        #expect(code(id, "+16505550101", keys) != digits("second-factor"))
    }

    @Test("20,000 codes have six uniformly distributed digits, with leading zeros")
    func spread() throws {
        let count = 20_000
        var occurrences = [[Int]](repeating: [Int](repeating: 0, count: 10), count: 6)
        var distinct: Set<String> = []
        for _ in 0..<count {
            let digits = code(try session(), "+16505550101", keys)
            try #require(digits.utf8.count == 6)
            for (place, digit) in digits.utf8.enumerated() { occurrences[place][Int(digit) - 48] += 1 }
            distinct.insert(digits)
        }
        for place in occurrences {
            let expected = Double(count) / 10
            let chiSquare = place.reduce(0) { $0 + (Double($1) - expected) * (Double($1) - expected) / expected }
            // Nine degrees of freedom: chance exceeds 33.7 once in ten thousand.
            #expect(chiSquare < 33.7)
        }
        #expect(occurrences[0][0] > 1500)
        // 20,000 draws from a million give 19,801 different codes on average.
        #expect(distinct.count > 19_700)
    }

    @Test(
        "an operator's code is six ASCII digits",
        arguments: ["", "12345", "1234567", "12345a", "-12345", "１２３４５６", "+12345"]
    )
    func operatorCode(text: String) {
        #expect(VerificationCode(text) == nil)
    }

    @Test("a code matches only itself")
    func matching() throws {
        let code = try #require(VerificationCode("012345"))
        for answer in ["012345", " 012 345", "٠١٢٣٤٥"] { #expect(code.matches(answer)) }
        for answer in ["12345", "0123456", "012346", "112345", "", "0.12345"] { #expect(!code.matches(answer)) }
    }
}
