import TestServers
import Testing

@testable import Passwords

@Suite struct StoredPasswordTests {
    private static let salt = "AAAAAAAAAAAAAAAAAAAAAA"
    private static let hash = String(repeating: "A", count: 43)
    private static let legal = [
        "$argon2id$v=19$m=19456,t=2,p=1$\(salt)$\(hash)",
        "$2b$10$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW",
        "$scrypt$ln=14,r=8,p=1$\(salt)$\(hash)",
        "$firebase-scrypt$ln=14,r=8,k=\(hash),s=Bw$\(salt)$\(hash)",
    ]

    @Test("a stored form round-trips", arguments: legal)
    func roundTrip(text: String) throws {
        let stored = try #require(StoredPassword(text))
        #expect(stored.text == text)
        #expect(stored.needsRehash(under: .recommended) == !text.hasPrefix("$argon2id"))
    }

    @Test(
        "an invalid or non-canonical stored form is rejected",
        arguments: [
            "", "$", "$$$$$", "secret 1", "\(salt)$\(hash)",
            "$argon2i$v=19$m=19456,t=2,p=1$\(salt)$\(hash)",
            "$argon2d$v=19$m=19456,t=2,p=1$\(salt)$\(hash)",
            "$argon2id$v=16$m=19456,t=2,p=1$\(salt)$\(hash)",
            "$argon2id$m=19456,t=2,p=1$\(salt)$\(hash)",
            "$argon2id$v=19$m=4294967296,t=2,p=1$\(salt)$\(hash)",
            "$argon2id$v=19$m=99999999999999999999,t=2,p=1$\(salt)$\(hash)",
            "$argon2id$v=19$m=262144,t=2,p=1$\(salt)$\(hash)",
            "$argon2id$v=19$m=019456,t=2,p=1$\(salt)$\(hash)",
            "$argon2id$v=19$m=+19456,t=2,p=1$\(salt)$\(hash)",
            "$argon2id$v=19$t=2,m=19456,p=1$\(salt)$\(hash)",
            "$argon2id$v=19$m=19456,t=2,p=1,keyid=AA$\(salt)$\(hash)",
            "$argon2id$v=19$m=19456,t=2,p=1$\(salt)",
            "$argon2id$v=19$m=19456,t=2,p=1$\(salt)$\(hash)$",
            "$argon2id$v=19$m=19456,t=2,p=1$\(salt)==$\(hash)=",
            "$argon2id$v=19$m=19456,t=2,p=1$\(salt)$\(hash)\n",
            "$argon2id$v=19$m=19456,t=2,p=1$AAAA$\(hash)",
            "$argon2id$v=19$m=19456,t=2,p=1$\(salt)$AAAA",
            "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAB$\(hash)",
            "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAA-_$\(hash)",
            "$argon2id$v=19$m=19456,t=2,p=1$\(salt)$\(String(repeating: "A", count: 2000))",
            "$scrypt$ln=14,r=8$\(salt)$\(hash)",
            "$scrypt$ln=20,r=8,p=1$\(salt)$\(hash)",
            "$scrypt$ln=64,r=8,p=1$\(salt)$\(hash)",
            "$scrypt$ln=-1,r=8,p=1$\(salt)$\(hash)",
            "$firebase-scrypt$ln=14,r=8,k=,s=Bw$\(salt)$\(hash)",
            "$firebase-scrypt$ln=14,r=8,k=\(hash)$\(salt)$\(hash)",
            "$pbkdf2-sha256$29000$\(salt)$\(hash)",
            "{SSHA}AAAAAAAAAAAAAAAA",
        ]
    )
    func refused(text: String) {
        #expect(StoredPassword(text) == nil)
    }

    @Test(
        "a text with a changed, missing or duplicated byte is rejected or round-trips",
        arguments: [UInt64(1), 2, 3]
    )
    func mutations(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        for _ in 0..<3000 {
            var bytes = Array(try #require(Self.legal.randomElement(using: &random)).utf8)
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let index = Int.random(in: bytes.indices, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: index)
                default: bytes.insert(bytes[index], at: index)
                }
            }
            guard let text = String(validating: bytes, as: UTF8.self), let stored = StoredPassword(text) else {
                continue
            }
            #expect(stored.text == text)
        }
    }
}
