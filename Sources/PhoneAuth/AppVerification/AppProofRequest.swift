public import Encodings

/// The credential of a request and what is needed to verify it.
public struct AppProofRequest: Sendable, Confidential {
    /// The credential that proves the app.
    public var credential: AppCredential
    /// The bundle id in the request; nil if the request does not come from an iOS app.
    public var bundleID: String?
    /// The client's network address in text form.
    public var networkAddress: String

    /// Creates a request to verify a credential.
    public init(credential: AppCredential, bundleID: String?, networkAddress: String) {
        self.credential = credential
        self.bundleID = bundleID
        self.networkAddress = networkAddress
    }
}
