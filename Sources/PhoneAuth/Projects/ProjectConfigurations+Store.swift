internal import Redis
internal import RedisScripts

/// The operators' changes to a project's configuration.
struct StoredConfiguration: Sendable, Equatable {
    /// The document that the domain wrote; empty if nothing was ever changed.
    let document: [UInt8]
    /// The version number: each change increments it by 1.
    let version: Int64
}

extension StoredConfiguration {
    init(_ fields: HashFields) {
        self.init(document: fields["document"] ?? [], version: fields.integer("version") ?? 0)
    }
}

extension Store {
    /// Returns the operators' changes to a project's configuration.
    /// - Throws: ``StoreUnavailable``.
    func configuration(of project: String) throws(StoreUnavailable) -> StoredConfiguration {
        StoredConfiguration(try send("HGETALL", KeyNames.configuration(project)).fields(from: 0))
    }

    /// Replaces the configuration, and all test numbers (keyed hashes with number and code, sealed) if any are given.
    /// Returns false if another change came first.
    /// - Throws: ``StoreUnavailable``; a retry may return false because of its own first execution.
    func setConfiguration(
        _ configuration: StoredConfiguration,
        testNumbers: [String: [UInt8]]?,
        of project: String
    ) throws(StoreUnavailable) -> Bool {
        let numbers = (testNumbers ?? [:]).flatMap { hash, sealed in [Argument.text(hash), .bytes(sealed)] }
        let call = ScriptCall(
            .setConfiguration,
            keys: [
                "configurationKey": KeyNames.configuration(project),
                "testNumbersKey": KeyNames.testNumbers(project),
            ],
            NamedValues(
                [
                    "version": .integer(configuration.version),
                    "document": .bytes(configuration.document),
                    "changesTestNumbers": .flag(testNumbers != nil),
                ],
                list: "testNumbers",
                numbers
            )
        )
        return try run(call, isConfirmed: true).integer() == 1
    }
}
