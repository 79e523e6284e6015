internal import CProcessor
internal import Glibc

/// In which of two ways the cryptography library multiplies when it signs with RSA-2048.
///
/// Where a processor has both, BoringSSL and OpenSSL prefer the instructions ADX to AVX2, which is right for Intel's since Broadwell.
/// On AMD's family 25 (Zen 3 and 4) a signature takes a sixth less time with AVX2: 700 against 850 µs, measured by turns on an EPYC
/// of the third generation. Both ways take the same time for every key. The library decides when it is first used, and its
/// documented way of leaving instructions out is an environment variable.
public enum SigningArithmetic {
    /// Chooses for the processor that this runs on. Call it before anything of the cryptography library is used and before there
    /// are other threads. What an operator has set already stands.
    public static func choose() {
        guard let processor = Processor.current, let capabilities = capabilities(on: processor) else { return }
        setenv("OPENSSL_ia32cap", capabilities, 0)
    }

    /// What the library is to read; nil where its own choice is left to it.
    static func capabilities(on processor: Processor) -> String? {
        let withoutADX = ":~0x80000"  // bit 19 of what CPUID says of leaf 7 in EBX
        return processor == Processor(vendor: "AuthenticAMD", family: 25) ? withoutADX : nil
    }

    /// A line of processors.
    struct Processor: Equatable {
        /// As CPUID spells the maker.
        let vendor: String
        let family: UInt32

        /// nil on an architecture without CPUID.
        static var current: Processor? {
            withUnsafeTemporaryAllocation(of: CChar.self, capacity: 13) { vendor in
                var family: UInt32 = 0
                guard let start = vendor.baseAddress, cprocessor_identify(start, &family) else { return nil }
                return Processor(vendor: String(cString: start), family: family)
            }
        }
    }
}
