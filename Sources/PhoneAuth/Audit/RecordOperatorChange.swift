public import RedisScripts

/// Changes by operators that are not about one account: to a project's configuration and test numbers, admin tokens,
/// rate limits, ranges, push receipts and keys.
///
/// The event is recorded before the change is made, and a change that cannot be recorded is refused. If the change then
/// fails, the log has a change that was only attempted, but never lacks one.
extension OperationContext {
    /// Records a change to the project, or to a number in it. The `detail` contains no secrets and no full number.
    func recordChange(_ detail: String, of number: PhoneIdentity? = nil) throws(StoreUnavailable) {
        guard let audit = audit(about: AuditedIdentifiers(), showsAddress: true) else { return }
        try store.recordOperatorChange(detail, naming: number, audit)
    }
}

extension Authenticator {
    /// Records a change to the whole deployment, such as to its keys.
    /// - Throws: ``StoreUnavailable``.
    public func recordDeploymentChange(_ detail: String) throws(StoreUnavailable) {
        try operation(in: Project(id: "", authorizedDomains: [])).recordChange(detail)
    }
}
