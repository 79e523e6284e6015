@testable import PhoneAuth
import Testing

@Suite("How signatures are computed")
struct SigningArithmeticTests {
    @Test(
        "only processors on which AVX2 was measured to be faster are asked to leave ADX out",
        arguments: [
            ("AuthenticAMD", 25, ":~0x80000"),
            ("AuthenticAMD", 23, nil),
            ("AuthenticAMD", 26, nil),
            ("GenuineIntel", 6, nil),
            ("GenuineIntel", 25, nil),
        ] as [(String, UInt32, String?)]
    )
    func capabilities(vendor: String, family: UInt32, expected: String?) {
        let processor = SigningArithmetic.Processor(vendor: vendor, family: family)
        #expect(SigningArithmetic.capabilities(on: processor) == expected)
    }

    #if arch(x86_64)
        @Test("a processor tells who made it")
        func current() {
            #expect(SigningArithmetic.Processor.current?.vendor.utf8.count == 12)
        }
    #endif
}
