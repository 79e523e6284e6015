import ChallengePages
import Encodings
import PhoneAuth
import TestBrowser
import Testing

/// Our challenges and solutions, compared with ALTCHA's own Python package.
@Suite struct AltchaTests {
    static let solver = """
        import altcha, base64, json, sys, time
        key, text, forged = sys.argv[1], json.loads(sys.argv[2]), sys.argv[3]
        solution = altcha.solve_challenge_v1(text["challenge"], text["salt"], text["algorithm"], text["maxnumber"])
        payload = altcha.PayloadV1(text["algorithm"], text["challenge"], solution.number, text["salt"],
                                   text["signature"])
        assert altcha.verify_solution_v1(payload.to_base64(), key) == (True, None)
        assert altcha.verify_solution_v1(payload.to_base64(), forged) == (False, None)
        assert payload.parse_salt()[2]["subject"], payload.parse_salt()
        print(payload.to_base64())
        """

    @Test("altcha solves our challenges, and altcha and we accept its solutions", arguments: 0..<5)
    func solvesOurs(_: Int) throws {
        // The package uses the system's clock, by which the challenge must not have expired.
        let now: Int64 = 4_000_000_000
        let challenge = Sample.proofOfWork().challenge(
            for: Sample.subject(),
            difficulty: .lowest,
            at: now,
            randomBytes: Sample.random
        )
        let json = String(decoding: challenge.json, as: UTF8.self)
        let output = try Python.run(["-c", Self.solver, Sample.key, json, "another key"])
        let solution = output.trimmingPrefix(while: \.isWhitespace).split(separator: "\n")[0]
        let solved = try Sample.proofOfWork().verify(String(solution), for: Sample.subject(), at: now)
        #expect(solved.id == Array(challenge.challenge.utf8) && solved.solvableFor == .seconds(300))
    }

    static let maker = """
        import altcha, datetime, json, sys
        key, salt, number = sys.argv[1], sys.argv[2], int(sys.argv[3])
        made = altcha.create_challenge_v1(algorithm="SHA-256", max_number=100000, salt_length=12, hmac_key=key,
                                          salt=salt, number=number, expires=None, params=None)
        print(json.dumps(made.to_dict()))
        """

    @Test("altcha creates the same challenge and signature as we do from our salt and number")
    func makesOurs() throws {
        let challenge = Sample.proofOfWork().challenge(
            for: Sample.subject(),
            difficulty: .lowest,
            at: Sample.now,
            randomBytes: Sample.bytes(42)
        )
        let output = try Python.run(["-c", Self.maker, Sample.key, challenge.salt, "42"])
        guard case .object(let made) = try JSONValue.parse(Array(output.utf8)) else {
            Issue.record("no object: \(output)")
            return
        }
        #expect(made["salt"] == .string(challenge.salt))
        #expect(made["challenge"] == .string(challenge.challenge))
        #expect(made["signature"] == .string(challenge.signature))
    }
}
