/// How much is known of the client that has a password hashed, least first.
///
/// Limits per network do not stop an attacker with many networks. So a request of which more is known is hashed before
/// those of which less is known, and where the waiting room is full it takes the place of one of them.
public enum HashingShare: Int, Sendable {
    /// Somebody who wants an account.
    case signUp
    /// Somebody who may have one.
    case signIn
    /// Somebody with a session, a client that signed in to the account before, or an operator.
    case known
}

/// For whom a password is hashed.
public struct HashingClient: Sendable {
    let share: HashingShare
    let network: String?

    /// A client. A `network` that has several passwords waiting makes room for one that has none; nil where networks do
    /// not matter.
    public init(_ share: HashingShare, network: String? = nil) {
        self.share = share
        self.network = network
    }
}
