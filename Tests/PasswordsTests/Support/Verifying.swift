import Foundation
import Testing

@testable import Passwords

/// Returns a password, which must be short enough.
func password(_ text: String) throws -> Password {
    try #require(Password(text))
}

/// Returns whether the hash with the stored form `text` is that of `password`.
func verifies(_ text: String, _ password: String) throws -> Bool {
    let stored = try #require(StoredPassword(text), "\(text)")
    #expect(stored.text == text)
    return try stored.hash.matches(#require(Password(password)))
}

/// Returns the bytes of a padded Base64 text.
func decoded(_ base64: String) throws -> [UInt8] {
    Array(try #require(Data(base64Encoded: base64)))
}
