import Testing

@testable import Passwords

@Suite struct BcryptTests {
    private static let long =
        "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789chars after 72 are ignored"

    @Test(
        "the published hashes of crypt_blowfish and jBCrypt verify",
        arguments: [
            ("$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW", "U*U"),
            ("$2a$05$CCCCCCCCCCCCCCCCCCCCC.VGOzA784oUp/Z0DY336zx7pLYAy0lwK", "U*U*"),
            ("$2a$05$XXXXXXXXXXXXXXXXXXXXXOAcXxm9kjPGEMsLznoKqmqw7tc8WCx4a", "U*U*U"),
            ("$2a$05$abcdefghijklmnopqrstuu5s2v8.iXieOjg/.AySBTTZIIVFJeBui", long),
            ("$2a$06$m0CrhHm10qJ3lXRY.5zDGO3rS2KdeeWLuGmsfGlMfOxih58VYVfxe", "a"),
        ]
    )
    func published(text: String, password: String) throws {
        #expect(try verifies(text, password))
        #expect(try !verifies(text, "U" + password))
        #expect(try !verifies(text, ""))
    }

    @Test("hashes of PyPI's bcrypt verify, with each of the three prefixes")
    func fromPython() throws {
        let hashes = try PythonHashes(
            """
            import bcrypt
            for password in passwords:
                for cost in (4, 5, 8):
                    text = bcrypt.hashpw(password.encode()[:72], bcrypt.gensalt(cost)).decode()
                    for mark in "aby": print(text[:2] + mark + text[3:], password, sep="\\t")
            """
        )
        try hashes.expectVerified()
    }

    @Test("only the first 72 bytes of a password count")
    func cut() throws {
        let text = "$2a$05$abcdefghijklmnopqrstuu5s2v8.iXieOjg/.AySBTTZIIVFJeBui"
        #expect(try verifies(text, String(Self.long.prefix(72))))
        #expect(try !verifies(text, String(Self.long.prefix(71))))
        #expect(try verifies(text, String(Self.long.prefix(72)) + String(repeating: "z", count: 4000)))
    }

    @Test("a password with a NUL byte never matches, even if the part before it would")
    func terminator() throws {
        #expect(try !verifies("$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW", "U*U\0"))
        #expect(try !verifies("$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW", "U*U\0more"))
    }

    @Test("a salt with unused bits in its last character verifies")
    func looseSalt() throws {
        #expect(try verifies("$2a$05$CCCCCCCCCCCCCCCCCCCCC/E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW", "U*U"))
    }

    @Test(
        "an invalid or too expensive bcrypt hash is rejected",
        arguments: [
            "$2x$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW",
            "$2$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW.",
            "$2b$03$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW",
            "$2b$15$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW",
            "$2b$31$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW",
            "$2b$+5$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW",
            "$2b$05.CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW",
            "$2b$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOe",
            "$2b$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeWW",
            "$2b$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOe=",
            "$2b$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOé",
            "2b$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeWW",
        ]
    )
    func refused(text: String) {
        #expect(StoredPassword(text) == nil)
    }
}
