public import Encodings

/// The credential of a request and what is needed to verify it.
public struct AppProofRequest: Sendable, Confidential {
    /// The credential that proves the app.
    public var credential: AppCredential
    /// The app that sends the request.
    public var app: ClientApp
    /// The client's network address in text form.
    public var networkAddress: String
    /// The subject of the request, in each form that the app may know: a Play Integrity token is bound to one of them.
    /// If there are none, no Play Integrity token is accepted.
    var subjects: [String] = []

    /// Creates a request to verify a credential.
    public init(credential: AppCredential, app: ClientApp, networkAddress: String) {
        self.credential = credential
        self.app = app
        self.networkAddress = networkAddress
    }
}
