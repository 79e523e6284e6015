/// What a signing key does at a time. It is published in every state.
public enum SigningKeyState: Hashable, Sendable {
    /// It waits until verifiers know it.
    case next(signsFrom: Instant)
    /// It signs; since always where there is no time.
    case signing(since: Instant?)
    /// Another key signs. The tokens of this one are good until this time.
    case verifying(until: Instant)
    /// Its last token has expired.
    case retirable(since: Instant)
}
