import Encodings
import Testing

@testable import PhoneAuth

/// Codes of authenticator apps, compared with the test vectors of the RFCs.
@Suite struct TOTPSecretTests {
    let secret: TOTPSecret

    init() throws {
        secret = try #require(TOTPSecret(Array("12345678901234567890".utf8)))
    }

    @Test("counter codes match RFC 4226, appendix D")
    func counters() {
        let codes = [
            "755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489",
        ]
        #expect((0..<10).map { secret.code(at: $0) } == codes)
    }

    /// The vectors have eight digits; a six-digit code is their last six.
    @Test(
        "time codes match RFC 6238, appendix B",
        arguments: [
            (59, "94287082"), (1_111_111_109, "07081804"), (1_111_111_111, "14050471"), (1_234_567_890, "89005924"),
            (2_000_000_000, "69279037"), (20_000_000_000, "65353130"),
        ] as [(Int64, String)]
    )
    func times(seconds: Int64, code: String) {
        let time = Instant(milliseconds: seconds * 1000)
        let step = TOTPSecret.step(at: time)
        #expect(secret.code(at: step) == code.suffix(6))
        #expect(secret.step(of: String(code.suffix(6)), around: time, adjacentIntervals: 0) == step)
        #expect(secret.step(of: code, around: time, adjacentIntervals: 10) == nil)
    }

    @Test("a code is searched for within the policy's window, never before the first step")
    func window() {
        let time = Instant(milliseconds: 1_111_111_109_000)
        let now = TOTPSecret.step(at: time)
        for steps in 0...3 {
            for distance in -4...4 as ClosedRange<Int64> {
                let found = secret.step(of: secret.code(at: now + distance), around: time, adjacentIntervals: steps)
                #expect(found == (abs(distance) <= steps ? now + distance : nil))
            }
        }
        #expect(secret.step(of: "755224", around: Instant(milliseconds: 0), adjacentIntervals: 10) == 0)
    }

    @Test(
        "a text in another format is not a code",
        arguments: ["", "75522", "7552240", "75522a", "+75522", "-75522", "7,55224", "75५22"]
    )
    func form(text: String) {
        #expect(secret.step(of: text, around: Instant(milliseconds: 0), adjacentIntervals: 10) == nil)
    }

    @Test(
        "a code may be typed in any script and with separators",
        arguments: ["७५५२२४", " 755 224", "\u{200E}７５５-２２４"]
    )
    func typed(text: String) {
        #expect(secret.step(of: text, around: Instant(milliseconds: 0), adjacentIntervals: 10) == 0)
    }

    @Test("secrets have 80 to 512 bits, new ones 160")
    func lengths() {
        #expect(
            TOTPSecret([UInt8](repeating: 1, count: 9)) == nil && TOTPSecret([UInt8](repeating: 1, count: 65)) == nil
        )
        #expect(
            TOTPSecret([UInt8](repeating: 1, count: 10)) != nil && TOTPSecret([UInt8](repeating: 1, count: 64)) != nil
        )
        #expect(TOTPSecret.make(.system).bytes.count == 20)
    }
}
