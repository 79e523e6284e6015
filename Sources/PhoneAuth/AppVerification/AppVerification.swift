/// What a request brings to prove that it comes from the operator's own app.
public enum AppCredential: Sendable, Equatable {
    /// Nothing.
    case absent
    /// Receipt and secret of a silent push.
    case pushReceipt
    /// The token of a solved challenge, or of the platform's own attestation.
    case challengeToken
}

/// The kind of app that asks, as far as it says so; decides in which words a refusal is told.
public enum AppPlatform: Sendable {
    case iOS, android, web
}

/// Why a request does not count as the operator's own app.
public enum AppProofFailure: Error, Equatable {
    /// There was no credential.
    case missing
    /// There was one, and it is not good.
    case invalid
}

/// How a project decides whether a request comes from its own app.
public enum AppVerification: Sendable {
    /// Development mode: every request counts as proven, as with the reference emulator.
    case trustEveryone
    /// A credential is needed. No verifier of push receipts or challenge tokens is built in, so none is good.
    case required

    /// Checks a credential.
    /// - Throws: ``AppProofFailure`` saying what is wrong with it.
    func prove(_ credential: AppCredential) throws(AppProofFailure) -> AppProof {
        switch (self, credential) {
        case (.trustEveryone, _): return AppProof(grounds: .developmentMode)
        case (.required, .absent): throw .missing
        case (.required, .pushReceipt), (.required, .challengeToken): throw .invalid
        }
    }
}

/// Evidence that a request may have a message sent; made by ``AppVerification`` only, or for a test number, which gets none.
struct AppProof: Sendable {
    enum Grounds: Sendable {
        case developmentMode
        case testNumber
    }

    let grounds: Grounds

    fileprivate init(grounds: Grounds) {
        self.grounds = grounds
    }

    /// Test numbers need no proof: they cost nothing and reach nobody.
    static let testNumber = AppProof(grounds: .testNumber)
}
