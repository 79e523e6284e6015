internal import Foundation

/// A challenge in ALTCHA's open format (version 1), as `/__/auth/challenge` returns it.
struct ProofOfWorkChallenge: Codable, Sendable {
    let algorithm: String
    /// The SHA-256 of the salt followed by the number, in hexadecimal.
    let challenge: String
    let maxnumber: Int64
    let salt: String
    let signature: String
}

/// A solver that finds the number that, appended to a challenge's salt, hashes to the challenge.
enum ProofOfWorkSolver {
    /// More than three times Dialtone's hardest challenge. Harder challenges are rejected.
    static let largestNumber: Int64 = 10_000_000
    static let longestSalt = 1_024

    /// Returns the solution in the form that the server accepts: JSON in Base64.
    ///
    /// - Throws: ``AuthErrorCode/internalError`` if the challenge is malformed or has no solution, or
    /// `CancellationError`.
    static func solve(_ challenge: ProofOfWorkChallenge) async throws -> String {
        // Runs in a separate task, with the caller's priority, so that the caller's executor stays free.
        let work = Task.detached { () throws -> String in
            guard challenge.algorithm == "SHA-256", (0...largestNumber).contains(challenge.maxnumber),
                challenge.salt.utf8.count <= longestSalt, let target = hexadecimalBytes(of: challenge.challenge),
                target.count == 32, let number = try number(Array(challenge.salt.utf8), target, challenge.maxnumber)
            else { throw AuthErrorCode.internalError.error("The server's proof of work cannot be solved.") }
            let solution = Solution(
                algorithm: challenge.algorithm,
                challenge: challenge.challenge,
                number: number,
                salt: challenge.salt,
                signature: challenge.signature
            )
            return try JSONEncoder().encode(solution).base64EncodedString()
        }
        return try await withTaskCancellationHandler {
            try await work.value
        } onCancel: {
            work.cancel()
        }
    }

    private struct Solution: Encodable {
        let algorithm: String
        let challenge: String
        let number: Int64
        let salt: String
        let signature: String
    }

    /// Tries all numbers, starting at 0.
    private static func number(_ salt: [UInt8], _ target: [UInt8], _ largest: Int64) throws -> Int64? {
        var hash = SaltedHash(salt: salt, target: target)
        for number in 0...largest {
            if number.isMultiple(of: 1_024) { try Task.checkCancellation() }
            if hash.isTarget(number) { return number }
        }
        return nil
    }
}

/// Decodes a text in hexadecimal; returns nil if it is malformed.
func hexadecimalBytes(of text: String) -> [UInt8]? {
    let digits = text.compactMap(\.hexDigitValue)
    guard digits.count == text.count, digits.count.isMultiple(of: 2) else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
}
