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
