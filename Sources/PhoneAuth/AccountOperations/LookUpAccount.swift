extension OperationContext {
    /// Returns the account that an ID token identifies, and whether the token is a former one of its session, see
    /// ``identify(_:acceptsFormer:)``.
    /// - Throws: ``IDTokenRefusal``.
    public func lookUpAccount(idToken: String) throws(IDTokenRefusal) -> (account: Account, byFormerToken: Bool) {
        let user = try identify(try verify(idToken), acceptsFormer: true)
        return (try authorize(user, for: [.lookUp]).account, user.hasFormerToken)
    }
}
