internal import Foundation

#if canImport(CryptoKit)
    internal import CryptoKit

    /// A comparison of the SHA-256 of a salt and a number with a target. The salt is hashed once for all numbers.
    struct SaltedHash {
        private let base: SHA256
        private let target: [UInt8]

        init(salt: [UInt8], target: [UInt8]) {
            var base = SHA256()
            base.update(data: salt)
            self.base = base
            self.target = target
        }

        /// Returns whether a number is the solution.
        mutating func isTarget(_ number: Int64) -> Bool {
            var hash = base
            hash.update(data: Array(String(number).utf8))
            return hash.finalize().elementsEqual(target)
        }
    }

    /// Returns the SHA-256 of a message.
    func sha256(_ message: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: message)) }
#else
    /// A comparison of the SHA-256 of a salt and a number with a target. The salt's complete blocks are hashed once for
    /// all numbers.
    struct SaltedHash {
        private let begun: SHA256
        private let target: SIMD8<UInt32>
        /// The rest of the salt, then the digits and the padding, in at most two blocks.
        private var block: [UInt8]
        private let restCount: Int
        private let saltCount: Int

        init(salt: [UInt8], target: [UInt8]) {
            let wholeCount = salt.count / SHA256.blockBytes * SHA256.blockBytes
            var begun = SHA256()
            salt.withUnsafeBufferPointer { salt in
                for offset in stride(from: 0, to: wholeCount, by: SHA256.blockBytes) { begun.compress(salt, offset) }
            }
            self.begun = begun
            var words = SIMD8<UInt32>()
            for (index, byte) in target.prefix(32).enumerated() {
                words[index / 4] = words[index / 4] << 8 | UInt32(byte)
            }
            self.target = words
            restCount = salt.count - wholeCount
            saltCount = salt.count
            block = Array(salt[wholeCount...])
            block += [UInt8](repeating: 0, count: 2 * SHA256.blockBytes - block.count)
        }

        /// Returns whether a number is the solution.
        mutating func isTarget(_ number: Int64) -> Bool {
            var (digitCount, rest) = (1, number / 10)
            while rest > 0 { (digitCount, rest) = (digitCount + 1, rest / 10) }
            let end = restCount + digitCount
            let size = end + 9 > SHA256.blockBytes ? 2 * SHA256.blockBytes : SHA256.blockBytes
            let bits = (saltCount + digitCount) * 8
            var hash = begun
            block.withUnsafeMutableBufferPointer { block in
                rest = number
                for index in stride(from: end - 1, through: restCount, by: -1) {
                    block[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                    rest /= 10
                }
                block[end] = 0x80
                for index in (end + 1)..<size { block[index] = 0 }
                block[size - 2] = UInt8(truncatingIfNeeded: bits >> 8)
                block[size - 1] = UInt8(truncatingIfNeeded: bits)
                for offset in stride(from: 0, to: size, by: SHA256.blockBytes) {
                    hash.compress(UnsafeBufferPointer(block), offset)
                }
            }
            return hash.state == target
        }
    }

    /// Returns the SHA-256 of a message.
    func sha256(_ message: [UInt8]) -> [UInt8] { SHA256.hash(message) }
#endif

/// Returns 128 bits of the SHA-256 of texts, in hexadecimal. Other texts, or the same ones divided differently, have
/// another hash.
func hexadecimalHash(of texts: [String]) -> String {
    let text = texts.map { "\($0.utf8.count):\($0)" }.joined()
    return sha256(Array(text.utf8)).prefix(16).map { String(format: "%02x", $0) }.joined()
}

// Apple's platforms have CryptoKit. On other platforms this library has no dependencies, so it contains its own
// SHA-256.
#if !canImport(CryptoKit)
    /// SHA-256 (FIPS 180-4) of public data, block by block.
    struct SHA256 {
        static let blockBytes = 64

        private(set) var state: SIMD8<UInt32> = [
            0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
        ]

        /// Returns the digest of a message.
        static func hash(_ message: [UInt8]) -> [UInt8] {
            var padded = message + [0x80]
            padded += [UInt8](repeating: 0, count: (120 - padded.count % blockBytes) % blockBytes)
            for shift in stride(from: 56, through: 0, by: -8) {
                padded.append(UInt8(truncatingIfNeeded: (message.count &* 8) >> shift))
            }
            var hash = SHA256()
            padded.withUnsafeBufferPointer { padded in
                for offset in stride(from: 0, to: padded.count, by: blockBytes) { hash.compress(padded, offset) }
            }
            return (0..<8).flatMap { index in
                stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: hash.state[index] >> UInt32($0)) }
            }
        }

        /// Processes the block at an offset.
        mutating func compress(_ bytes: UnsafeBufferPointer<UInt8>, _ offset: Int) {
            var (a, b, c, d) = (state[0], state[1], state[2], state[3])
            var (e, f, g, h) = (state[4], state[5], state[6], state[7])
            withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { words in
                for index in 0..<16 {
                    let at = offset &+ index &* 4
                    words[index] =
                        UInt32(bytes[at]) << 24 | UInt32(bytes[at &+ 1]) << 16 | UInt32(bytes[at &+ 2]) << 8
                        | UInt32(bytes[at &+ 3])
                }
                for index in 16..<64 {
                    let (x, y) = (words[index &- 15], words[index &- 2])
                    let s0 = (x &>> 7 | x &<< 25) ^ (x &>> 18 | x &<< 14) ^ (x &>> 3)
                    let s1 = (y &>> 17 | y &<< 15) ^ (y &>> 19 | y &<< 13) ^ (y &>> 10)
                    words[index] = words[index &- 16] &+ s0 &+ words[index &- 7] &+ s1
                }
                Self.constants.withUnsafeBufferPointer { constants in
                    for index in 0..<64 {
                        let s1 = (e &>> 6 | e &<< 26) ^ (e &>> 11 | e &<< 21) ^ (e &>> 25 | e &<< 7)
                        let first = h &+ s1 &+ ((e & f) ^ (~e & g)) &+ constants[index] &+ words[index]
                        let s0 = (a &>> 2 | a &<< 30) ^ (a &>> 13 | a &<< 19) ^ (a &>> 22 | a &<< 10)
                        let second = s0 &+ ((a & b) ^ (a & c) ^ (b & c))
                        h = g
                        g = f
                        f = e
                        e = d &+ first
                        d = c
                        c = b
                        b = a
                        a = first &+ second
                    }
                }
            }
            state = state &+ SIMD8(a, b, c, d, e, f, g, h)
        }

        /// The fractional parts of the cube roots of the first 64 primes.
        private static let constants: [UInt32] = [
            0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
            0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
            0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
            0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
            0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
            0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
            0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
            0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
        ]
    }
#endif
