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
