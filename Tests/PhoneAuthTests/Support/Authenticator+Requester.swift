import PhoneAuth

extension Authenticator {
    /// The same, whose changes are another's.
    func working(for requester: Requester) -> Authenticator {
        var authenticator = self
        authenticator.requester = requester
        return authenticator
    }
}
