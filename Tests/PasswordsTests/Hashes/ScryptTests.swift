import Encodings
import Testing

@testable import Passwords

@Suite struct ScryptTests {
    /// A vector of RFC 7914 § 12.
    struct Vector: Sendable {
        let cost: Int
        let blockSize: Int
        let parallelism: Int
        let password: String
        let salt: String
        /// The hash in hexadecimal digits.
        let hash: String
    }

    static let vectors = [
        Vector(
            cost: 16,
            blockSize: 1,
            parallelism: 1,
            password: "",
            salt: "",
            hash: "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"
                + "fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906"
        ),
        Vector(
            cost: 1024,
            blockSize: 8,
            parallelism: 16,
            password: "password",
            salt: "NaCl",
            hash: "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
                + "2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640"
        ),
        Vector(
            cost: 16384,
            blockSize: 8,
            parallelism: 1,
            password: "pleaseletmein",
            salt: "SodiumChloride",
            hash: "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
                + "d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887"
        ),
    ]

    @Test("the vectors of RFC 7914 verify", arguments: vectors)
    func published(vector: Vector) throws {
        let parameters = try #require(
            ScryptParameters(cost: vector.cost, blockSize: vector.blockSize, parallelism: vector.parallelism)
        )
        let hash = try #require(Hexadecimal.decode(vector.hash))
        let made = ScryptHash(parameters: parameters, salt: Array(vector.salt.utf8), hash: hash)
        let stored = StoredPassword.scrypt(try #require(made))
        #expect(try verifies(stored.text, vector.password))
        #expect(try !verifies(stored.text, vector.password + "n"))
        #expect(stored.needsRehash(under: .recommended))
    }

    @Test("Python's hashlib agrees, within all ranges and at their ends")
    func fromPython() throws {
        let hashes = try PythonHashes(
            """
            ends = [(1, r, p) for r in (1, 16) for p in (1, 16)] + [(15, 1, 1), (14, 8, 1), (10, 16, 16)]
            random.seed(7914)
            between = [(random.randint(1, 10), random.randint(1, 16), random.randint(1, 4)) for _ in range(40)]
            for ln, r, p in ends + between:
                salt, password = os.urandom(random.choice([0, 1, 16, 128])), random.choice(passwords)
                key = hashlib.scrypt(password.encode(), salt=salt, n=2 ** ln, r=r, p=p, maxmem=2 ** 28,
                                     dklen=random.choice([16, 32, 33, 64, 128]))
                print(f"$scrypt$ln={ln},r={r},p={p}${unpadded(salt)}${unpadded(key)}", password, sep="\\t")
            """
        )
        try hashes.expectVerified()
    }

    private static let takenParameters: [(cost: Int, blockSize: Int, parallelism: Int)] = [
        (131_072, 8, 1), (65_536, 8, 2), (32_768, 8, 3), (16_384, 8, 5), (8192, 8, 10), (16_384, 8, 1), (2, 1, 16),
    ]

    @Test("the parameters of OWASP and of common programs are accepted", arguments: takenParameters)
    func taken(cost: Int, blockSize: Int, parallelism: Int) {
        #expect(ScryptParameters(cost: cost, blockSize: blockSize, parallelism: parallelism) != nil)
    }

    private static let refusedParameters: [(cost: Int, blockSize: Int, parallelism: Int)] = [
        (0, 8, 1), (1, 8, 1), (-2, 8, 1), (.min, 8, 1), (.max, 8, 1), (3, 8, 1), (1000, 8, 1), (65_536, 1, 1),
        (1_048_576, 8, 1), (262_144, 8, 1), (131_072, 8, 2), (16_384, 17, 1), (16_384, 0, 1), (16_384, -1, 1),
        (1024, 8, 0), (1024, 8, 17), (1024, 8, .max), (1024, .max, 1), (4_611_686_018_427_387_904, 16, 16),
    ]

    @Test("parameters that RFC 7914 forbids, or that cost too much, are rejected", arguments: refusedParameters)
    func refused(cost: Int, blockSize: Int, parallelism: Int) {
        #expect(ScryptParameters(cost: cost, blockSize: blockSize, parallelism: parallelism) == nil)
    }

    @Test(
        "a hash that is too short, or a salt that is too long, is rejected",
        arguments: [(16, 15), (16, 129), (129, 32)]
    )
    func lengths(saltByteCount: Int, hashByteCount: Int) throws {
        let salt = [UInt8](repeating: 1, count: saltByteCount)
        let hash = [UInt8](repeating: 1, count: hashByteCount)
        let parameters = try #require(ScryptParameters(cost: 16, blockSize: 8, parallelism: 1))
        #expect(ScryptHash(parameters: parameters, salt: salt, hash: hash) == nil)
        let text = "$scrypt$ln=4,r=8,p=1$\(PHCString.base64(salt))$\(PHCString.base64(hash))"
        #expect(StoredPassword(text) == nil)
    }
}
