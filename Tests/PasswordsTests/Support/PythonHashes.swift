import TestBrowser
import Testing

/// Hashes created by a Python program: lines with a stored form, a tab and the password.
struct PythonHashes {
    let hashes: [(text: String, password: String)]

    /// Passwords of many kinds: empty, longer than a block of any hash, and in other scripts.
    private static let passwords = #"""
        import base64, hashlib, os, random, sys
        passwords = ["", "a", "secret 1", "pässwörd", "密码🔑", "x" * 71, "x" * 72, "long " * 200]
        def unpadded(data): return base64.b64encode(data).decode().rstrip("=")

        """#

    init(_ program: String, _ arguments: [String] = []) throws {
        let output = try Python.run(["-c", Self.passwords + program] + arguments)
        hashes = try output.split(separator: "\n").map { line in
            let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
            try #require(parts.count == 2)
            return (String(parts[0]), String(parts[1]))
        }
        try #require(!hashes.isEmpty)
    }

    /// Expects that each hash verifies its password and no other one.
    func expectVerified(sourceLocation: SourceLocation = #_sourceLocation) throws {
        for (text, password) in hashes {
            #expect(try verifies(text, password), "\(text)", sourceLocation: sourceLocation)
            #expect(try !verifies(text, "y" + password), "\(text)", sourceLocation: sourceLocation)
        }
    }
}
