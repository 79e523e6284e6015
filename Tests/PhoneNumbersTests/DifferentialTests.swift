import Glibc
import TestServers
import Testing

@testable import PhoneNumbers

/// The shortcuts past libphonenumber's Parse and IsValidNumber, compared with these functions.
///
/// `DIALTONE_DIFFERENTIAL_SAMPLES=300000 swift test --filter DifferentialTests` tests 300,000 random numbers with a new
/// seed, which a failure prints.
@Suite struct DifferentialTests {
    private let uncached = PhoneNumbers(cacheCapacity: 0)
    private let samples: Int
    private let seed: UInt64

    init() {
        let wanted = getenv("DIALTONE_DIFFERENTIAL_SAMPLES").flatMap { Int(String(cString: $0)) }
        samples = wanted ?? 6000
        seed = wanted == nil ? 20_240_229 : UInt64.random(in: 1...UInt64.max)
    }

    private func expectAgreement(_ text: String) {
        let ours = uncached.result(text)
        let reference = Reference.read(text)
        guard ours != reference else { return }
        Issue.record(
            "seed \(seed), \(text): \(self.text(of: ours)), but libphonenumber says \(self.text(of: reference))"
        )
    }

    private func text(of reading: Result<E164, PhoneNumberError>) -> String {
        switch reading {
        case .success(let number): "\(number.text) \(number.region?.description ?? "ZZ") valid: \(number.isValid)"
        case .failure(let error): "\(error)"
        }
    }

    @Test("every region's example numbers parse as in the library")
    func examples() {
        #expect(Reference.examples.count > 1000)
        for example in Reference.examples { expectAgreement(example) }
    }

    @Test("numbers with any three first digits, so any national prefix, parse as in the library")
    func firstDigits() throws {
        var random = SplitMix(seed: seed)
        for _ in 0..<samples {
            var digits = try #require(Reference.examples.randomElement(using: &random)).dropFirst()
            let callingCode = digits.prefix(Int.random(in: 1...3, using: &random))
            digits = digits.dropFirst(callingCode.count)
            let prefix = String(String(1000 + Int.random(in: 0...999, using: &random)).dropFirst())
            let replaced = Bool.random(using: &random) ? prefix.count : 0
            expectAgreement(String("+\(callingCode)\(prefix)\(digits.dropFirst(replaced))".prefix(20)))
        }
    }

    @Test("examples with a few digits changed parse as in the library")
    func mutations() throws {
        var random = SplitMix(seed: seed &+ 1)
        for _ in 0..<samples {
            var digits = Array(try #require(Reference.examples.randomElement(using: &random)).utf8)
            for _ in 1...Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 2..<digits.count, using: &random)
                digits[place] = .random(in: 0x30...0x39, using: &random)
            }
            expectAgreement(String(decoding: digits, as: UTF8.self))
        }
    }

    @Test("random digits parse as in the library")
    func randomDigits() {
        var random = SplitMix(seed: seed &+ 2)
        for _ in 0..<samples {
            let count = Int.random(in: 3...19, using: &random)
            let digits = (1...count).map { _ in String(Int.random(in: 0...9, using: &random)) }
            expectAgreement("+\(digits.joined())")
        }
    }

    @Test("separators between digits parse as in the library")
    func separators() throws {
        let separators = ["", "", "", " ", "-", ".", "/", "(", ")", "[", "]", "\u{2010}", "\u{2212}", "\u{30FC}"]
        let wide = ["\u{A0}", "\u{AD}", "\u{200B}", "\u{2060}", "\u{3000}", "\u{FF08}", "\u{FF0D}", "\u{FF0F}"]
        var random = SplitMix(seed: seed &+ 3)
        for _ in 0..<samples / 4 {
            let example = try #require(Reference.examples.randomElement(using: &random))
            let text = example.map { "\($0)\((separators + wide).randomElement(using: &random) ?? "")" }.joined()
            expectAgreement(text)
        }
    }

    @Test("parsing the text of a result gives the result again")
    func stable() throws {
        var random = SplitMix(seed: seed &+ 4)
        for _ in 0..<samples {
            let example = try #require(Reference.examples.randomElement(using: &random)).dropFirst()
            let place = example.index(example.startIndex, offsetBy: Int.random(in: 1...3, using: &random))
            let zeros = String(repeating: "0", count: Int.random(in: 0...4, using: &random))
            guard let number = try? uncached.parse("+\(example[..<place])\(zeros)\(example[place...])") else {
                continue
            }
            #expect(try uncached.parse(number.text) == number)
        }
    }
}
