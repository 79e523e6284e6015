/// The reason why a key or a certificate cannot be used with APNs. The description never contains a key.
public enum APNsCredentialError: Error, Equatable, CustomStringConvertible {
    case malformedKeyID
    case malformedTeamID
    case unreadableSigningKey
    case unreadableCertificate
    case unreadablePrivateKey
    case privateKeyOfAnotherCertificate

    /// One line for the operator.
    public var description: String {
        switch self {
        case .malformedKeyID: "the key id is not ten letters and digits"
        case .malformedTeamID: "the team id is not ten letters and digits"
        case .unreadableSigningKey: "the signing key is not a P-256 private key in PEM, the format of Apple's .p8 files"
        case .unreadableCertificate: "the client certificate is not a PEM certificate chain"
        case .unreadablePrivateKey: "the client certificate's private key is not an unencrypted PEM key"
        case .privateKeyOfAnotherCertificate: "the private key does not belong to the client certificate"
        }
    }
}
