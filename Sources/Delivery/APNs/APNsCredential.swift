public import Encodings

/// By what APNs knows that a push comes from the app's owner.
public enum APNsCredential: Hashable, Sendable, Confidential {
    /// A token signed with the team's key: good for all of the team's apps, in both environments unless the key is restricted.
    case providerToken(ProviderTokenKey)
    /// A TLS client certificate: good for one app.
    case clientCertificate(ClientCertificate)

    /// A team's key, read from the text of its `.p8` file.
    /// - Throws: ``APNsCredentialError``
    public static func providerToken(
        keyID: String,
        teamID: String,
        privateKey: String
    ) throws(APNsCredentialError) -> APNsCredential {
        .providerToken(try ProviderTokenKey(keyID: keyID, teamID: teamID, privateKey: privateKey))
    }

    /// A client certificate, read from its chain and its key in PEM.
    /// - Throws: ``APNsCredentialError``
    public static func clientCertificate(
        chain: String,
        privateKey: String
    ) throws(APNsCredentialError) -> APNsCredential {
        .clientCertificate(try ClientCertificate(chain: chain, privateKey: privateKey))
    }
}
