internal import Encodings
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
        of ticket: VerificationTicket,
        for client: VerificationClient,
        under policy: Policy,
        at now: Instant
    ) -> [UInt8] {
        var lines: [UInt8] = []
        lines.reserveCapacity(256)
        lines.appendLine(ticket.codeSource.rawValue)
        lines.appendLine((now + policy.verificationLifetime).milliseconds)
        // The lifetime that is left when the lock ends.
        lines.appendLine(max(0, (policy.verificationLifetime - policy.lockLifetime).milliseconds))
        lines.appendLine(Int64(policy.attemptsPerVerification))
        lines.appendLine(client.binding)
        lines.appendLine(client.hash)
        lines.appendLine(client.widerNetworks.namesOfWrongCodes)
        // No message was accepted, and no answer was wrong.
        lines.appendLine("\n")
        lines.appendLine(now.milliseconds)
        lines.appendLine(ticket.scope.purpose.rawValue)
        return lines
    }
}
