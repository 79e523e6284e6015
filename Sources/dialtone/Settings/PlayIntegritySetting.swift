import Encodings
import PlayIntegrity

/// The settings of an Android app that proves itself with Play Integrity. Only workers read the files.
struct PlayIntegritySetting {
    /// How the app's tokens are decoded.
    enum Decoding {
        /// With the response keys in a file.
        case keys(file: String)
        /// By Google's server, with the service account in a file.
        case serviceAccount(file: String, server: ServiceURL)
    }

    let projectID: String
    let packageName: String
    let requirements: IntegrityRequirements
    let decoding: Decoding

    /// Whether Google's server decodes the app's tokens.
    var asksGoogle: Bool {
        if case .serviceAccount = decoding { true } else { false }
    }
}
