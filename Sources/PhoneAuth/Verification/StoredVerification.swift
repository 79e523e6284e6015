internal import RedisScripts

/// What Redis stores of an open verification session, in the lines of `verification-session.lua`.
struct StoredVerification {
    let codeSource: String
    /// Milliseconds since the Unix epoch, as ``createdAt``.
    let expiresAt: Int64
    let createdAt: Int64
    let purpose: String
    let sealedNumber: [UInt8]

    /// Reads a session; nil if it has ended.
    init?(stored: [UInt8]) {
        let lines = stored.split(separator: UInt8(ascii: "\n"), maxSplits: 14, omittingEmptySubsequences: false)
        guard lines.count == 15, lines[0].elementsEqual("open".utf8) else { return nil }
        func text(_ line: Int) -> String { String(decoding: lines[line], as: UTF8.self) }
        guard let expiresAt = Int64(text(4)), let createdAt = Int64(text(12)) else { return nil }
        codeSource = text(3)
        self.expiresAt = expiresAt
        self.createdAt = createdAt
        purpose = text(13)
        sealedNumber = Array(lines[14])
    }

    /// Returns the lines of a new session between its counts of messages and its sealed number.
    static func details(
        codeSource: String,
        expiresAt: Int64,
        unlockedLife: Int64,
        attempts: Int,
        binding: String,
        client: String,
        networks: String,
        createdAt: Int64,
        purpose: String
    ) -> [UInt8] {
        var lines: [UInt8] = []
        lines.reserveCapacity(256)
        lines.appendLine(codeSource)
        lines.appendLine(expiresAt)
        lines.appendLine(unlockedLife)
        lines.appendLine(Int64(attempts))
        lines.appendLine(binding)
        lines.appendLine(client)
        lines.appendLine(networks)
        // No message was accepted, and no answer was wrong.
        lines.appendLine("\n")
        lines.appendLine(createdAt)
        lines.appendLine(purpose)
        return lines
    }
}
