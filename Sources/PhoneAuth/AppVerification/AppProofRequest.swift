public import Encodings

/// What a request brings to prove that it comes from one of the project's apps.
public struct AppProofRequest: Sendable, Confidential {
    /// What proves the app.
    public var credential: AppCredential
    /// The bundle id that the request names; nil where it comes from no iOS app.
    public var bundleID: String?
    /// The client's network address in text form.
    public var networkAddress: String
    /// The front end's name for the request, the same when it repeats it.
    public var requestID: String

    /// A credential and who brings it.
    public init(credential: AppCredential, bundleID: String?, networkAddress: String, requestID: String) {
        self.credential = credential
        self.bundleID = bundleID
        self.networkAddress = networkAddress
        self.requestID = requestID
    }
}
