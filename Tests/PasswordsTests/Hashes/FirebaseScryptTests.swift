import Testing

@testable import Passwords

@Suite struct FirebaseScryptTests {
    /// The sample of github.com/firebase/scrypt, README.
    private static let signerKey =
        "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA=="
    private static let hash =
        "lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ=="

    private func parameters(rounds: Int = 8, memoryCost: Int = 14) throws -> FirebaseHashParameters? {
        FirebaseHashParameters(
            signerKey: try decoded(Self.signerKey),
            saltSeparator: try decoded("Bw=="),
            rounds: rounds,
            memoryCost: memoryCost
        )
    }

    private func sample() throws -> StoredPassword {
        let parameters = try #require(try parameters())
        let hash = try FirebaseScryptHash(
            parameters: parameters,
            salt: decoded("42xEC+ixf3L2lw=="),
            hash: decoded(Self.hash)
        )
        return .firebaseScrypt(try #require(hash))
    }

    @Test("the hash published by Firebase verifies and is due for rehashing")
    func published() throws {
        let text = try sample().text
        #expect(text.hasPrefix("$firebase-scrypt$ln=14,r=8,k=jxspr8Ki0RYycVU8"))
        #expect(try verifies(text, "user1password"))
        #expect(try !verifies(text, "user2password"))
        #expect(try sample().needsRehash(under: .recommended))
    }

    @Test("Python's hashlib and cryptography agree, for all keys, separators and costs")
    func fromPython() throws {
        let hashes = try PythonHashes(
            """
            from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
            random.seed(14)
            for _ in range(30):
                ln, r, password = random.randint(1, 10), random.randint(1, 8), random.choice(passwords)
                signer, salt = os.urandom(random.choice([16, 64, 65, 128])), os.urandom(random.choice([0, 10, 128]))
                separator = os.urandom(random.choice([0, 1, 16]))
                key = hashlib.scrypt(password.encode(), salt=salt + separator, n=2 ** ln, r=r, p=1, dklen=64)[:32]
                encryptor = Cipher(algorithms.AES(key), modes.CTR(bytes(16))).encryptor()
                made = encryptor.update(signer) + encryptor.finalize()
                print(f"$firebase-scrypt$ln={ln},r={r},k={unpadded(signer)},s={unpadded(separator)}"
                      f"${unpadded(salt)}${unpadded(made)}", password, sep="\\t")
            """
        )
        try hashes.expectVerified()
    }

    @Test(
        "rounds and memory cost beyond Firebase's bounds are rejected",
        arguments: [(0, 14), (9, 14), (8, 0), (8, 15), (-1, -1)]
    )
    func refused(rounds: Int, memoryCost: Int) throws {
        #expect(try parameters(rounds: rounds, memoryCost: memoryCost) == nil)
        let text = try sample().text.replacing("ln=14,r=8", with: "ln=\(memoryCost),r=\(rounds)")
        #expect(StoredPassword(text) == nil)
    }

    @Test("a hash whose length differs from its key's is rejected")
    func lengths() throws {
        let parameters = try #require(try parameters())
        for count in [0, 16, 63, 65] {
            let hash = [UInt8](repeating: 0, count: count)
            #expect(FirebaseScryptHash(parameters: parameters, salt: [], hash: hash) == nil)
        }
    }

    @Test("another signer key gives another hash")
    func otherKey() throws {
        let text = try sample().text.replacing("k=jxspr8", with: "k=kxspr8")
        #expect(try !verifies(text, "user1password"))
    }
}
