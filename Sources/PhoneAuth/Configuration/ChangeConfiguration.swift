public import Encodings
internal import PhoneNumbers
public import RedisScripts

/// A project's current configuration: the settings with the operators' changes.
public struct CurrentConfiguration: Sendable {
    /// The project with the operators' changes.
    public let project: Project
    /// The operators' changes.
    public let configuration: ProjectConfiguration
    /// The changed members of the protocol's `Config`.
    let document: ConfigurationDocument
    let version: Int64

    /// The paths of the members that differ from the settings.
    public var changedPaths: [String] {
        ConfigurationDocument.paths.filter { document.members[path: $0.split(separator: ".").map(String.init)] != nil }
    }
}

/// Why a configuration was not changed.
public enum ChangeConfigurationRefusal: OperationRefusal {
    case configurationInvalid(ConfigurationRefusal)
    case testNumberInvalid
    case testCodeWeak(digits: String, VerificationCode.Weakness)
    /// An account has the number, and not by the number's test code.
    case testNumberOfUser
    case tooManyTestNumbers
    case failed(OperationFailure)
}

extension OperationContext {
    private static let testNumbersPath = "signIn.phoneNumber.testPhoneNumbers"
    private static var testNumbersNames: [String] { testNumbersPath.split(separator: ".").map(String.init) }
    /// How often a change is retried if other operators change the configuration concurrently.
    static var changeAttempts: Int { 8 }

    /// Returns a project's current configuration.
    /// - Throws: ``StoreUnavailable``, also if the stored document is invalid.
    public func configuration() throws(StoreUnavailable) -> CurrentConfiguration {
        let stored = try store.configuration(of: project.id)
        let (document, configuration) = try authenticator.read(stored)
        return CurrentConfiguration(
            project: project.configured(by: configuration),
            configuration: configuration,
            document: document,
            version: stored.version
        )
    }

    /// Sets the members that the mask names to their values in `members`, a part of the protocol's `Config`. A named
    /// member that is absent reverts to the settings. An empty mask names everything. All workers apply the change
    /// within a second; in development mode, at once.
    /// - Throws: ``ChangeConfigurationRefusal``; then nothing has changed.
    public func changeConfiguration(
        _ members: JSONObject,
        mask: [String]
    ) throws(ChangeConfigurationRefusal) -> CurrentConfiguration {
        var members = members
        let namesTestNumbers =
            mask.isEmpty || mask.contains { ConfigurationDocument.isPart(Self.testNumbersPath, of: $0) }
        let testNumbers = namesTestNumbers ? try sealedTestNumbers(members[path: Self.testNumbersNames]) : nil
        // Test numbers are not stored in the document: phone numbers must not be readable in Redis.
        members[path: Self.testNumbersNames] = nil
        for _ in 0..<Self.changeAttempts {
            let current = try ChangeConfigurationRefusal.wrapping(configuration())
            var document = current.document
            do {
                try document.apply(members, mask: mask)
                _ = try authenticator.read(document, strictly: true)
            } catch {
                throw .configurationInvalid(error)
            }
            do {
                let changes = changes(from: current.document, to: document)
                if !changes.isEmpty { try recordChange("config \(changes.joined(separator: ", "))") }
                if let testNumbers { try recordChanges(ofTestNumbers: testNumbers.codes) }
                guard
                    try store.setConfiguration(
                        StoredConfiguration(document: document.text, version: current.version + 1),
                        testNumbers: testNumbers?.sealed,
                        of: project.id
                    )
                else { continue }
                return try configuration()
            } catch {
                throw .failed(.unavailable(error))
            }
        }
        throw .failed(.interrupted)
    }

    /// Resets everything to the settings, except test numbers.
    /// - Throws: ``ChangeConfigurationRefusal``.
    public func resetConfiguration() throws(ChangeConfigurationRefusal) {
        let mask = ConfigurationDocument.paths.filter { $0 != Self.testNumbersPath }
        _ = try changeConfiguration(JSONObject(), mask: mask)
    }

    /// Describes the members that differ, without secrets: URLs of hooks only by their hosts.
    private func changes(from former: ConfigurationDocument, to new: ConfigurationDocument) -> [String] {
        ConfigurationDocument.paths.compactMap { path -> String? in
            let (before, after) = (former.description(of: path), new.description(of: path))
            return before == after ? nil : "\(path): \(before) -> \(after)"
        }
    }

    /// Records each test number that is new, has another code, or is removed.
    private func recordChanges(ofTestNumbers codes: [String: VerificationCode]) throws(StoreUnavailable) {
        let former = try testNumbers()
        for number in Set(former.keys).union(codes.keys).sorted() {
            guard former[number]?.digits != codes[number]?.digits else { continue }
            guard let phone = try? phoneNumbers.parse(number) else { continue }
            try recordChange(of: phone, from: former[number], to: codes[number])
        }
    }

    /// Returns the codes by number in E.164 form, and the same as Redis stores it.
    private func sealedTestNumbers(
        _ value: JSONValue?
    ) throws(ChangeConfigurationRefusal) -> (codes: [String: VerificationCode], sealed: [String: [UInt8]]) {
        let members: [(name: String, value: JSONValue)]
        switch value {
        case nil, .null: members = []
        case .object(let object): members = object.members
        default: throw .testNumberInvalid
        }
        guard members.count <= Project.maximumTestNumbers else { throw .tooManyTestNumbers }
        var codes: [String: VerificationCode] = [:]
        var sealed: [String: [UInt8]] = [:]
        for (number, code) in members {
            guard let digits = code.text, let code = VerificationCode(digits),
                let phone = try? phoneNumbers.parse(number)
            else { throw .testNumberInvalid }
            if let weakness = weakness(of: code, for: phone) { throw .testCodeWeak(digits: digits, weakness) }
            guard try !ChangeConfigurationRefusal.wrapping(isOfUser(phone)) else { throw .testNumberOfUser }
            let entry = try ChangeConfigurationRefusal.wrapping(failureOf: sealedTestNumber(phone, code))
            codes[phone.text] = code
            sealed[entry.hash] = entry.sealed
        }
        return (codes, sealed)
    }
}
