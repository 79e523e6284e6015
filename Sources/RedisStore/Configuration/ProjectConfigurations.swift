internal import Redis

/// What operators changed of a project.
public struct StoredConfiguration: Sendable, Equatable {
    /// As the domain wrote it; empty where nothing was ever changed.
    public let document: [UInt8]
    /// Which one it is: each has the number after that of the one before.
    public let version: Int64

    /// A configuration.
    public init(document: [UInt8], version: Int64) {
        self.document = document
        self.version = version
    }

    init(_ fields: HashFields) {
        self.init(document: fields["document"] ?? [], version: fields.integer("version") ?? 0)
    }
}

extension Store {
    /// What operators changed of a project.
    /// - Throws: ``StoreUnavailable``.
    public func configuration(of project: String) throws(StoreUnavailable) -> StoredConfiguration {
        StoredConfiguration(try send("HGETALL", KeyNames.configuration(project)).fields(from: 0))
    }

    /// Puts a configuration in place of the one before it, and, where there are any, test numbers (keyed hashes with number and
    /// code, sealed) in place of all others; false where another one has come meanwhile.
    /// - Throws: ``StoreUnavailable``; repeated it may find itself to be the other one.
    public func setConfiguration(
        _ configuration: StoredConfiguration,
        testNumbers: [String: [UInt8]]?,
        of project: String
    ) throws(StoreUnavailable) -> Bool {
        let numbers = (testNumbers ?? [:]).flatMap { hash, sealed in [Argument.text(hash), .bytes(sealed)] }
        return try run(
            Scripts.setConfiguration,
            keys: [KeyNames.configuration(project), KeyNames.testNumbers(project)],
            [.integer(configuration.version), .bytes(configuration.document), .integer(testNumbers == nil ? 0 : 1)]
                + numbers
        ).integer() == 1
    }
}
