internal import Redis
public import RedisScripts

extension Store {
    /// Records an operator's change that is not about an account: in one shard for each project, and in one for changes
    /// to the whole deployment. The `detail` says what was changed, without secrets.
    /// - Throws: ``StoreUnavailable``; a retry may record it twice.
    func recordOperatorChange(
        _ detail: String,
        naming number: PhoneIdentity? = nil,
        _ audit: AuditContext
    ) throws(StoreUnavailable) {
        let shard = AccountIdentity(project: audit.project, uid: "", among: shards).shard
        let isBreak = { (byte: UInt8) in byte < 0x20 || byte == 0x7F }
        let call = ScriptCall(
            .recordOperatorChange,
            keys: [:],
            [
                // Each value of an event is a line.
                "detail": .bytes(detail.utf8.map { isBreak($0) ? UInt8(ascii: " ") : $0 }),
                "names": .text(number.map { $0.auditName + " " } ?? ""),
            ],
            audit: audit,
            in: shard
        )
        _ = try run(call, isConfirmed: true)
    }
}

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
