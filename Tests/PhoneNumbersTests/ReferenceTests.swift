import Glibc
import TestServers
import Testing

@testable import PhoneNumbers

/// Comparisons with the PyPI package `phonenumbers`: status, region, validity, type, and both formats.
///
/// `DIALTONE_REFERENCE_SAMPLES=10000 swift test --filter ReferenceTests` compares 10,000 random numbers of each region
/// with a new seed, which a failure prints.
@Suite struct ReferenceTests {
    private let uncached = PhoneNumbers(cacheCapacity: 0)
    private let samples: Int
    private let seed: UInt64

    init() {
        let wanted = getenv("DIALTONE_REFERENCE_SAMPLES").flatMap { Int(String(cString: $0)) }
        samples = wanted ?? 400
        seed = wanted == nil ? 20_261_106 : UInt64.random(in: 1...UInt64.max)
    }

    @Test("all examples, as dialed from abroad and within their region, and random numbers are read as in phonenumbers")
    func sameAsReference() throws {
        let cases = try Reference.cases(seed: seed, ofEachRegion: samples)
        #expect(cases.count > 100_000 || samples < 400)
        var wrong = 0
        for example in cases {
            let values = uncached.values(example.text, in: example.region)
            var sent = values
            if example.text.hasPrefix("+") {
                switch uncached.result(example.text) {
                case .success(let number): sent = [number.text] + sent.dropFirst()
                case .failure(let error): sent = ["error", "\(error)"]
                }
            }
            guard values != example.values || sent != values else { continue }
            wrong += 1
            guard wrong <= 20 else { continue }
            Issue.record(
                "seed \(seed), \(example.text) in \(example.region?.description ?? "-"): \(values), not \(example.values)"
            )
        }
        #expect(wrong == 0)
    }

    @Test(
        "numbers that were assigned after 2022 are valid",
        arguments: [("+251712345678", "ET"), ("+17385550123", "US"), ("+2290195123456", "BJ")]
    )
    func assignedLater(text: String, region: String) throws {
        let number = try uncached.parse(text)
        #expect(number.isValid)
        #expect(number.region == Region(region))
        #expect(number.mainRegion == Region(region))
    }

    @Test("parsing the text of a result gives the result again")
    func stable() throws {
        var random = SplitMix(seed: seed &+ 4)
        for _ in 0..<6000 {
            let example = try #require(Reference.examples.randomElement(using: &random)).dropFirst()
            let place = example.index(example.startIndex, offsetBy: Int.random(in: 1...3, using: &random))
            let zeros = String(repeating: "0", count: Int.random(in: 0...4, using: &random))
            guard let number = try? uncached.parse("+\(example[..<place])\(zeros)\(example[place...])") else {
                continue
            }
            #expect(try uncached.parse(number.text) == number)
        }
    }

    @Test("separators between digits are ignored")
    func separators() throws {
        let separators = ["", "", "", " ", "-", ".", "/", "(", ")", "[", "]", "\u{2010}", "\u{2212}", "\u{30FC}"]
        let wide = ["\u{A0}", "\u{AD}", "\u{200B}", "\u{2060}", "\u{3000}", "\u{FF08}", "\u{FF0D}", "\u{FF0F}"]
        var random = SplitMix(seed: seed &+ 3)
        for _ in 0..<1500 {
            let example = try #require(Reference.examples.randomElement(using: &random))
            let text = example.map { "\($0)\((separators + wide).randomElement(using: &random) ?? "")" }.joined()
            guard text.utf8.count <= DialedDigits.longestTextBytes else { continue }
            #expect(uncached.result(text) == uncached.result(example))
        }
    }
}
