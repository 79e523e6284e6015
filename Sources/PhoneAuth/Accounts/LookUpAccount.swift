extension OperationContext {
    /// Returns the account that an ID token identifies.
    /// - Throws: ``IDTokenRefusal``.
    public func lookUpAccount(idToken: String) throws(IDTokenRefusal) -> Account {
        try authenticate(idToken: idToken, for: .lookUp).account
    }
}
