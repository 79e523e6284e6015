internal import Redis
internal import RedisScripts

extension Store {
    /// Uses up a Play Integrity token (single use). Returns false if another request used it. The use is remembered for
    /// `markMilliseconds`.
    /// - Throws: ``StoreUnavailable``; a retry with the same request id is harmless.
    func useIntegrityToken(
        _ token: IntegrityTokenIdentity,
        requestID: String,
        markMilliseconds: Int64
    ) throws(StoreUnavailable) -> Bool {
        let call = ScriptCall(
            .useOnce,
            keys: ["usedKey": KeyNames.usedIntegrityToken(token)],
            ["request": .text(requestID), "markLife": .integer(markMilliseconds)]
        )
        let reply = try run(call)
        return try reply.integer() == 1
    }
}
