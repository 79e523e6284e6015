internal import RedisScripts

extension KeyNames {
    static func verification(_ id: VerificationID) -> String { ofProject(id.project, "sess", id.text) }

    /// Returns a session's key without its id.
    static func verificationPrefix(_ project: String) -> String { ofProject(project, "sess", "") }

    /// A pattern that matches the key of each session of a project.
    static func anyVerification(of project: String) -> String { verificationPrefix(project) + "*" }

    /// Returns the session of a project that has this key.
    static func verificationID(ofKey key: String, of project: String) -> VerificationID? {
        let prefix = verificationPrefix(project)
        guard key.hasPrefix(prefix) else { return nil }
        return VerificationID(project: project, text: Array(key.utf8.dropFirst(prefix.utf8.count)))
    }

    /// Reentrancy lock → session id. The lock lives as long as the session, and holds as long as the session says.
    static func lock(_ phone: PhoneIdentity, binding: String) -> String {
        ofProject(phone.project, "lock", phone.hash, binding)
    }

    /// Wrong codes for this number since the last correct one. Wrong codes for the number as a test number are counted
    /// separately.
    static func wrongCodes(_ phone: PhoneIdentity, isTestNumber: Bool) -> String {
        ofProject(phone.project, isTestNumber ? "wrong-test-codes" : "wrong-codes", phone.hash)
    }

    /// Clients that gave this number's correct code, see `answer-verification.lua`. A test number has a key for each
    /// code, named by the code's keyed hash: a client that knew a former code is a new client again.
    static func knownClients(_ phone: PhoneIdentity, testCodeHash: String? = nil) -> String {
        testCodeHash.map { ofProject(phone.project, "known-test-clients", phone.hash, $0) }
            ?? ofProject(phone.project, "known-clients", phone.hash)
    }

    /// Marks a temporary proof as used by a request.
    static func usedProof(_ id: TemporaryProofID) -> String { ofProject(id.project, "used-proof", id.text) }
}
