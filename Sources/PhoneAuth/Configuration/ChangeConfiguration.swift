public import Encodings
internal import PhoneNumbers
public import RedisStore

/// A project as it is configured now, by settings and operators.
public struct StandingConfiguration: Sendable {
    /// The project with what operators changed of it.
    public let project: Project
    /// What they changed.
    public let configuration: ProjectConfiguration
    /// The members of the protocol's `Config` that they changed.
    let document: ConfigurationDocument
    let version: Int64

    /// The members that differ from the settings, by their paths.
    public var changedPaths: [String] {
        ConfigurationDocument.paths.filter { document.members[path: $0.split(separator: ".").map(String.init)] != nil }
    }
}

/// Why a configuration was not changed.
public enum ChangeConfigurationRefusal: Error {
    case configurationInvalid(ConfigurationRefusal)
    case testNumberInvalid
    case tooManyTestNumbers
    case failed(OperationFailure)
}

extension Authenticator {
    private static let testNumbersPath = "signIn.phoneNumber.testPhoneNumbers"
    private static var testNumbersNames: [String] { testNumbersPath.split(separator: ".").map(String.init) }
    /// Operators who change a configuration at the same time wait for each other so often.
    private static var changeAttempts: Int { 8 }

    /// A project as it is configured now.
    /// - Throws: ``StoreUnavailable``, also where what is stored is no configuration.
    public func configuration(of project: Project) throws(StoreUnavailable) -> StandingConfiguration {
        try standing(try store.configuration(of: project.id), of: project)
    }

    /// The project as a stored configuration says.
    /// - Throws: ``StoreUnavailable`` if what is stored is no configuration.
    func standing(
        _ stored: StoredConfiguration,
        of project: Project
    ) throws(StoreUnavailable) -> StandingConfiguration {
        guard
            let document = stored.document.isEmpty
                ? ConfigurationDocument() : ConfigurationDocument(text: stored.document),
            let configuration = try? read(document, strictly: false)
        else { throw .unexpectedReply }
        return StandingConfiguration(
            project: project.configured(by: configuration),
            configuration: configuration,
            document: document,
            version: stored.version
        )
    }

    /// Changes what the mask names to what `members`, a part of the protocol's `Config`, say of it: a member that is named and
    /// absent is as the settings say again. An empty mask names everything. All workers follow within a second, in development
    /// mode before this returns.
    /// - Throws: ``ChangeConfigurationRefusal``; then nothing was changed.
    public func changeConfiguration(
        _ members: JSONObject,
        mask: [String],
        of project: Project
    ) throws(ChangeConfigurationRefusal) -> StandingConfiguration {
        var members = members
        let namesTestNumbers =
            mask.isEmpty || mask.contains { ConfigurationDocument.isPart(Self.testNumbersPath, of: $0) }
        let testNumbers = namesTestNumbers ? try sealedTestNumbers(members[path: Self.testNumbersNames], project) : nil
        // They are not kept in the document, because nobody who reads Redis reads a number.
        members[path: Self.testNumbersNames] = nil
        for _ in 0..<Self.changeAttempts {
            let standing: StandingConfiguration
            do { standing = try configuration(of: project) } catch { throw .failed(.unavailable(error)) }
            var document = standing.document
            do {
                try document.apply(members, mask: mask)
                _ = try read(document, strictly: true)
            } catch {
                throw .configurationInvalid(error)
            }
            do {
                guard
                    try store.setConfiguration(
                        StoredConfiguration(document: document.text, version: standing.version + 1),
                        testNumbers: testNumbers,
                        of: project.id
                    )
                else { continue }
                caches.waitUntilFollowed()
                return try configuration(of: project)
            } catch {
                throw .failed(.unavailable(error))
            }
        }
        throw .failed(.interrupted)
    }

    /// Hooks in plain text, to this machine itself, exist in development mode only.
    private func read(
        _ document: ConfigurationDocument,
        strictly: Bool
    ) throws(ConfigurationRefusal) -> ProjectConfiguration {
        try ProjectConfiguration(
            document,
            strictly: strictly,
            allowsPlainLoopback: policy.development != nil,
            knows: phoneNumbers.knows
        )
    }

    /// Makes everything be as the settings say, but for test numbers, which stay.
    /// - Throws: ``ChangeConfigurationRefusal``.
    public func resetConfiguration(of project: Project) throws(ChangeConfigurationRefusal) {
        let mask = ConfigurationDocument.paths.filter { $0 != Self.testNumbersPath }
        _ = try changeConfiguration(JSONObject(), mask: mask, of: project)
    }

    private func sealedTestNumbers(
        _ value: JSONValue?,
        _ project: Project
    ) throws(ChangeConfigurationRefusal) -> [String: [UInt8]] {
        let members: [(name: String, value: JSONValue)]
        switch value {
        case nil, .null: members = []
        case .object(let object): members = object.members
        default: throw .testNumberInvalid
        }
        guard members.count <= Policy.maximumTestNumbers else { throw .tooManyTestNumbers }
        var sealed: [String: [UInt8]] = [:]
        for (number, code) in members {
            guard case .string(let digits) = code, let code = VerificationCode(digits),
                let phone = try? phoneNumbers.parse(number)
            else { throw .testNumberInvalid }
            do {
                let entry = try sealedTestNumber(phone, code, in: project)
                sealed[entry.hash] = entry.sealed
            } catch {
                throw .failed(error)
            }
        }
        return sealed
    }
}
