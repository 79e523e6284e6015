import TestBrowser
import Testing

@testable import Passwords

@Suite struct Argon2idTests {
    private func parameters(_ memoryKiB: Int, _ passes: Int, _ lanes: Int = 1) throws -> Argon2idParameters {
        try #require(Argon2idParameters(memoryKiB: memoryKiB, passes: passes, lanes: lanes))
    }

    private func hash(_ text: String, _ parameters: Argon2idParameters) throws -> Argon2idHash {
        var random = SystemRandomNumberGenerator()
        let salt = PasswordSalt { count in (0..<count).map { _ in .random(in: 0...255, using: &random) } }
        return try Argon2idHash(password(text), salt, parameters)
    }

    @Test("hashes of argon2-cffi verify, with any number of lanes on one thread")
    func fromPython() throws {
        let hashes = try PythonHashes(
            """
            from argon2.low_level import hash_secret, Type
            for password in passwords:
                for m, t, p in [(8, 1, 1), (19456, 2, 1), (512, 3, 4), (257, 2, 16), (65536, 1, 2)]:
                    salt, length = os.urandom(random.randint(8, 64)), random.randint(16, 64)
                    text = hash_secret(password.encode(), salt, t, m, p, length, Type.ID).decode()
                    print(text, password, sep="\\t")
            """
        )
        try hashes.expectVerified()
    }

    @Test("argon2-cffi verifies our hashes, which have its format")
    func toPython() throws {
        let costs = [(8, 1, 1), (19_456, 2, 1), (1024, 3, 4)]
        let texts = try ["", "secret 1", "密码🔑"].flatMap { text in
            try costs.flatMap { cost in [try hash(text, parameters(cost.0, cost.1, cost.2)).text, text] }
        }
        let script = """
            import sys
            from argon2 import PasswordHasher, extract_parameters
            from argon2.low_level import Type
            for text, password in zip(sys.argv[1::2], sys.argv[2::2]):
                PasswordHasher().verify(text, password)
                form = extract_parameters(text)
                assert (form.type, form.version, form.salt_len, form.hash_len) == (Type.ID, 19, 16, 32), form
            print(len(sys.argv) // 2)
            """
        #expect(try Python.run(["-c", script] + texts) == "9\n")
    }

    @Test("a hash is valid only for its password, and differs with another salt")
    func own() throws {
        let cheap = try parameters(64, 1)
        let first = try hash("secret 1", cheap)
        let second = try hash("secret 1", cheap)
        #expect(first.text != second.text)
        for (other, isSame) in [("secret 1", true), ("secret 2", false), ("secret 1\0", false), ("", false)] {
            #expect(try first.matches(password(other)) == isSame)
        }
    }

    @Test("new hashes cost at least what OWASP recommends")
    func recommended() throws {
        let text = try hash("secret 1", .recommended).text
        #expect(text.hasPrefix("$argon2id$v=19$m=19456,t=2,p=1$"))
        #expect(text.count == "$argon2id$v=19$m=19456,t=2,p=1$".count + 22 + 1 + 43)
    }

    @Test(
        "a hash with less memory or fewer passes is due for rehashing",
        arguments: [
            (19_456, 2, 1, false), (19_456, 2, 4, false), (65_536, 3, 1, false), (19_455, 2, 1, true),
            (19_456, 1, 1, true),
            (65_536, 1, 1, true), (8192, 16, 1, true),
        ]
    )
    func due(memoryKiB: Int, passes: Int, lanes: Int, isDue: Bool) throws {
        let text = "$argon2id$v=19$m=\(memoryKiB),t=\(passes),p=\(lanes)$AAAAAAAAAAAAAAAAAAAAAA$\(zeros(32))"
        #expect(try #require(StoredPassword(text)).needsRehash(under: .recommended) == isDue)
    }

    @Test("a hash with a shorter salt or hash is due for rehashing", arguments: [(8, 32), (16, 31)])
    func short(saltByteCount: Int, hashByteCount: Int) throws {
        let text = "$argon2id$v=19$m=19456,t=2,p=1$\(zeros(saltByteCount))$\(zeros(hashByteCount))"
        #expect(try #require(StoredPassword(text)).needsRehash(under: .recommended))
    }

    @Test(
        "parameters out of range are rejected",
        arguments: [
            (7, 1, 1), (15, 1, 2), (131_073, 1, 1), (1024, 0, 1), (1024, 17, 1), (1024, 1, 0), (1024, 1, 17),
            (-1, 1, 1),
        ]
    )
    func range(memoryKiB: Int, passes: Int, lanes: Int) {
        #expect(Argon2idParameters(memoryKiB: memoryKiB, passes: passes, lanes: lanes) == nil)
    }

    private func zeros(_ count: Int) -> String { PHCString.base64([UInt8](repeating: 0, count: count)) }
}
