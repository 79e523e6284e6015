/// The priority of a client whose password is hashed, lowest first.
///
/// Rate limits per network do not stop an attacker who has many networks. So requests of better known clients are
/// hashed first, and displace requests of lesser known clients if the queue is full.
public enum HashingShare: Int, Sendable {
    /// A sign-up.
    case signUp
    /// A sign-in, with or without an account.
    case signIn
    /// A user with a session, a client that signed in to the account before, or an operator.
    case known
}

/// The client for whom a password is hashed.
public struct HashingClient: Sendable {
    let share: HashingShare
    let network: String?

    /// Creates a client. A waiting password from a `network` that has several makes room for one from a network that
    /// has none. Nil if networks do not matter.
    public init(_ share: HashingShare, network: String? = nil) {
        self.share = share
        self.network = network
    }
}
