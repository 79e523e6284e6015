import Foundation
import Testing

@testable import DialtoneAuth

@Suite struct ProofOfWorkTests {
    private func hexadecimal(_ bytes: [UInt8]) -> String { bytes.map { String(format: "%02x", $0) }.joined() }

    private func challenge(_ salt: String, _ number: Int64, largest: Int64 = 3_000) -> ProofOfWorkChallenge {
        ProofOfWorkChallenge(
            algorithm: "SHA-256",
            challenge: hexadecimal(sha256(Array("\(salt)\(number)".utf8))),
            maxnumber: largest,
            salt: salt,
            signature: "00"
        )
    }

    @Test(
        "SHA-256 has the values of FIPS 180-4",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (String(repeating: "a", count: 1_000), "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"),
        ]
    )
    func vectors(text: String, digest: String) {
        #expect(hexadecimal(sha256(Array(text.utf8))) == digest)
    }

    @Test("the number is found for salts of every length, including each boundary of a block")
    func lengths() async throws {
        for length in 0...140 {
            let salt = String(repeating: "s", count: length)
            let number = Int64(length % 3 == 0 ? 7 : length % 3 == 1 ? 42 : 123)
            let solution = try await ProofOfWorkSolver.solve(challenge(salt, number))
            let json = try #require(Data(base64Encoded: solution))
            let object = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
            #expect(object["number"] as? Int == Int(number), "\(length)")
        }
    }

    @Test("a challenge without a solution, in another format, or with too much work is refused")
    func hostile() async {
        for challenge in [
            challenge("a", 4_000), challenge("a", 1, largest: 1 << 40), challenge("a", 1, largest: -1),
            challenge(String(repeating: "s", count: 5_000), 1),
            ProofOfWorkChallenge(algorithm: "SHA-1", challenge: "00", maxnumber: 1, salt: "", signature: ""),
            ProofOfWorkChallenge(algorithm: "SHA-256", challenge: "zz", maxnumber: 1, salt: "", signature: ""),
        ] {
            await #expect(throws: (any Error).self) { try await ProofOfWorkSolver.solve(challenge) }
        }
    }

    @Test("the work ends when its task is cancelled")
    func cancellation() async {
        let unsolvable = ProofOfWorkChallenge(
            algorithm: "SHA-256",
            challenge: String(repeating: "0", count: 64),
            maxnumber: 10_000_000,
            salt: "salt",
            signature: ""
        )
        let work = Task { try await ProofOfWorkSolver.solve(unsolvable) }
        work.cancel()
        await #expect(throws: CancellationError.self) { try await work.value }
    }
}
