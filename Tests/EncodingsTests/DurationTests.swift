import Encodings
import Testing

@Suite struct DurationTests {
    @Test("a duration's milliseconds are a whole number, rounded toward zero")
    func milliseconds() {
        #expect(Duration.seconds(90).milliseconds == 90_000)
        #expect(Duration.microseconds(1_999).milliseconds == 1)
        #expect(Duration.microseconds(-1_999).milliseconds == -1)
        #expect(Duration.zero.milliseconds == 0)
    }
}
