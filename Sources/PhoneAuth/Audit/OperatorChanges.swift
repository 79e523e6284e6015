internal import Redis
public import RedisScripts

extension Store {
    /// Records an operator's change that is not about an account: in one shard for each project, and in one for changes
    /// to the whole deployment. The `detail` says what was changed, without secrets.
    /// - Throws: ``StoreUnavailable``; a retry may record it twice.
    public func recordOperatorChange(
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
