import ChallengePages
import PhoneAuth
import Testing

@Suite struct ProofOfWorkTests {
    /// Returns a challenge whose number is 42, because of the given bytes.
    func challenge(for subject: ChallengeSubject = Sample.subject()) -> ProofOfWorkChallenge {
        Sample.proofOfWork().challenge(for: subject, difficulty: .lowest, at: Sample.now, randomBytes: Sample.bytes(42))
    }

    func verify(_ solution: String, at now: Int64 = Sample.now) throws(SolutionRefusal) -> SolvedChallenge {
        try Sample.proofOfWork().verify(solution, for: Sample.subject(), at: now)
    }

    @Test("the chosen number solves the challenge until it expires")
    func solves() throws {
        let challenge = challenge()
        #expect(challenge.salt.hasSuffix("&") && challenge.salt.contains("?expires=1800000300&"))
        let solution = Sample.solution(to: challenge, number: 42)
        #expect(try verify(solution).id == Array(challenge.challenge.utf8))
        #expect(try verify(solution, at: Sample.now + 299).solvableFor == .seconds(1))
        #expect(throws: SolutionRefusal.expired) { try verify(solution, at: Sample.now + 300) }
    }

    @Test("a challenge is valid only for its project, app and event")
    func bound() throws {
        let event = try #require(EventID("ABCDEFGHIJ"))
        let other = try #require(EventID("ABCDEFGHIK"))
        let subjects: [ChallengeSubject] = [
            .web(projectID: "demo-dialtone"), .web(projectID: "demo"),
            .app(projectID: "demo-dialtone", bundleID: "com.example.app", eventID: event),
            .app(projectID: "demo-dialtone", bundleID: "com.example.app", eventID: other),
            .androidApp(projectID: "demo-dialtone", packageName: "com.example.app", eventID: event),
            .app(projectID: "demo-dialtone", bundleID: "com.example.ap", eventID: event),
            .app(projectID: "demo-dialton", bundleID: "ecom.example.app", eventID: event),
        ]
        #expect(Set(subjects).count == subjects.count)
        for made in subjects {
            let solution = Sample.solution(to: challenge(for: made), number: 42)
            for asked in subjects where asked != made {
                #expect(throws: SolutionRefusal.otherSubject) {
                    try Sample.proofOfWork().verify(solution, for: asked, at: Sample.now)
                }
            }
        }
    }

    @Test("a changed number, salt, signature or key does not solve the challenge")
    func tampered() throws {
        let challenge = challenge()
        #expect(throws: SolutionRefusal.wrongNumber) { try verify(Sample.solution(to: challenge, number: 43)) }
        let later = challenge.salt.replacing("expires=1800000300", with: "expires=1900000300")
        #expect(throws: SolutionRefusal.wrongNumber) {
            try verify(Sample.solution(to: challenge, number: 42, salt: later))
        }
        let forged = String(repeating: "0", count: 64)
        #expect(throws: SolutionRefusal.forged) {
            try verify(Sample.solution(to: challenge, number: 42, signature: forged))
        }
        let stranger = ProofOfWork(key: [UInt8](repeating: 1, count: 32))
        #expect(throws: SolutionRefusal.forged) {
            try stranger.verify(Sample.solution(to: challenge, number: 42), for: Sample.subject(), at: Sample.now)
        }
    }

    @Test("digits cannot be moved between salt and number")
    func splicing() {
        let challenge = challenge()
        // "…&" + "42" = "…&4" + "2": the hash is the same, but the salt is not ours.
        #expect(throws: SolutionRefusal.malformed) {
            try verify(Sample.solution(to: challenge, number: 2, salt: challenge.salt + "4"))
        }
        let open = String(challenge.salt.dropLast())
        #expect(throws: SolutionRefusal.malformed) {
            try verify(Sample.solution(to: challenge, number: 42, salt: open))
        }
    }

    static let malformed = [
        "", "e30=", "not base64!", "e30", Sample.base64(Array("[]".utf8)),
        Sample.base64(Array(#"{"algorithm":"SHA-1","challenge":"a","number":1,"salt":"b","signature":"c"}"#.utf8)),
        Sample.base64(Array(#"{"algorithm":"SHA-256","challenge":"a","number":"1","salt":"b","signature":"c"}"#.utf8)),
        Sample.base64(Array(#"{"algorithm":"SHA-256","challenge":"a","number":1.0,"salt":"b","signature":"c"}"#.utf8)),
        Sample.base64(Array(#"{"algorithm":"SHA-256","challenge":"a","number":-1,"salt":"b","signature":"c"}"#.utf8)),
        Sample.base64(Array(#"{"algorithm":"SHA-256","challenge":"a","number":9e9,"salt":"b","signature":"c"}"#.utf8)),
        Sample.base64(Array(repeating: UInt8(ascii: "["), count: 700)),
        String(repeating: "A", count: 100_000),
    ]

    @Test("an invalid solution is rejected", arguments: malformed)
    func malformedSolutions(text: String) {
        #expect(throws: SolutionRefusal.malformed) { try verify(text) }
    }

    @Test("each challenge is different, and its number is within the difficulty", arguments: Difficulty.allCases)
    func fresh(difficulty: Difficulty) {
        let challenges = (0..<50).map { _ in
            Sample.proofOfWork().challenge(
                for: Sample.subject(),
                difficulty: difficulty,
                at: Sample.now,
                randomBytes: Sample.random
            )
        }
        #expect(Set(challenges.map(\.challenge)).count == 50)
        #expect(challenges.allSatisfy { $0.maximumNumber == difficulty.maximumNumber })
    }

    @Test(
        "the difficulty increases with a network's recent requests, up to a maximum",
        arguments: [
            (0, Difficulty.lowest), (19, .lowest), (20, .raised), (59, .raised), (60, .high), (200, .highest),
            (Int.max, .highest), (-1, .lowest),
        ]
    )
    func difficulty(recentChallenges: Int, expected: Difficulty) {
        #expect(Difficulty.forNetwork(recentChallenges: recentChallenges) == expected)
    }

    @Test("a posted body is parsed as a solution, a provider's response, or nothing")
    func answers() {
        #expect(ChallengeAnswer(json: Array(#"{"solution":"abc"}"#.utf8)) == .solution("abc"))
        #expect(ChallengeAnswer(json: Array(#"{"response":"abc"}"#.utf8)) == .providerResponse("abc"))
        let others = ["", "{}", "[]", #"{"solution":1}"#, #"{"solution":""}"#, #"{"solution":"a","response":"b"}"#]
        for text in others { #expect(ChallengeAnswer(json: Array(text.utf8)) == nil) }
        let long = #"{"solution":""# + String(repeating: "a", count: ChallengeAnswer.maximumBytes) + "\"}"
        #expect(ChallengeAnswer(json: Array(long.utf8)) == nil)
    }
}
