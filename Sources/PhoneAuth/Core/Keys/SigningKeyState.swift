/// The state of a signing key at a time. A key is published in every state.
public enum SigningKeyState: Hashable, Sendable {
    /// Waits until verifiers know it.
    case next(signsFrom: Instant)
    /// Signs; `since` is nil if it always has.
    case signing(since: Instant?)
    /// Another key signs. The tokens of this key are valid until this time.
    case verifying(until: Instant)
    /// Its last token has expired.
    case retirable(since: Instant)
}
