public import Encodings

/// The credential that authenticates the app's owner to APNs.
public enum APNsCredential: Hashable, Sendable, Confidential {
    /// A token signed with the team's key: valid for all of the team's apps, and in both environments unless the key is
    /// restricted.
    case providerToken(ProviderTokenKey)
    /// A TLS client certificate: valid for one app.
    case clientCertificate(ClientCertificate)

    /// Creates a credential from the text of a team's key (`.p8` file).
    /// - Throws: ``APNsCredentialError``
    public static func providerToken(
        keyID: String,
        teamID: String,
        privateKey: String
    ) throws(APNsCredentialError) -> APNsCredential {
        .providerToken(try ProviderTokenKey(keyID: keyID, teamID: teamID, privateKey: privateKey))
    }

    /// Creates a credential from a certificate chain and its key in PEM.
    /// - Throws: ``APNsCredentialError``
    public static func clientCertificate(
        chain: String,
        privateKey: String
    ) throws(APNsCredentialError) -> APNsCredential {
        .clientCertificate(try ClientCertificate(chain: chain, privateKey: privateKey))
    }
}
