import Testing

@testable import PhoneAuth

@Suite struct ProofKeyTests {
    @Test("a verifier has 43 to 128 unreserved characters, and its challenge follows RFC 7636")
    func verifiers() {
        let challenge = ProofKeyExample.challenge
        #expect(CodeVerifier(ProofKeyExample.verifier)?.challenge.text == challenge)
        let letters = String(repeating: "a", count: 128)
        #expect(CodeVerifier(String(letters.prefix(43))) != nil && CodeVerifier(letters) != nil)
        let almost = String(letters.prefix(42))
        for text in ["", almost, letters + "a", almost + "é", almost + "/", almost + " ", almost + "\u{0}"] {
            #expect(CodeVerifier(text) == nil)
        }
        for text in [
            "", "a", challenge + "=", challenge + "A", String(challenge.dropLast()),
            // Unused bits of the last character that are not zero.
            challenge.dropLast() + "N", "+" + challenge.dropFirst(),
        ] {
            #expect(CodeChallenge(text) == nil)
        }
    }
}
