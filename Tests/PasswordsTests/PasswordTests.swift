import Encodings
import Testing

@testable import Passwords

@Suite struct PasswordTests {
    @Test(
        "a password has at most 4,096 bytes of UTF-8",
        arguments: [(4096, "a", true), (4097, "a", false), (1365, "密", true), (1366, "密", false)]
    )
    func length(count: Int, character: String, isTaken: Bool) {
        #expect((Password(String(repeating: character, count: count)) != nil) == isTaken)
    }

    @Test("a password is used as typed: two Unicode forms of one letter are different passwords")
    func spelling() throws {
        #expect(try password("\u{E9}").utf8 != password("e\u{301}").utf8)
        #expect(try password("").utf8 == [])
    }

    @Test("printing shows no password, salt, key or hash")
    func printing() throws {
        let key = FirebaseHashParameters(
            signerKey: Array("signer key signer key".utf8),
            saltSeparator: [7],
            rounds: 8,
            memoryCost: 14
        )
        let values: [(any Confidential, String)] = [
            (try password("secret 1"), "Password(…)"),
            (PasswordSalt { [UInt8](repeating: 77, count: $0) }, "PasswordSalt(…)"),
            (try #require(key), "FirebaseHashParameters(…)"),
            (
                try #require(StoredPassword("$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW")),
                "StoredPassword(…)"
            ),
        ]
        for (value, description) in values {
            var dumped = ""
            dump(value, to: &dumped)
            #expect(dumped == "- \(description)\n")
            #expect("\(value)" == description)
            #expect(String(reflecting: value) == description)
        }
    }
}
