internal import Passwords
internal import PhoneNumbers
public import RedisScripts

/// The settings of a project that may change while workers run. All requests within a second share one instance.
final class ProjectSettings: Sendable {
    /// What operators changed in the project's configuration; nil if nothing.
    let configuration: ProjectConfiguration?
    /// The test numbers in E.164 form, with the codes that the operator fixed for them.
    let testNumbers: [String: VerificationCode]
    /// For each bundle id: push receipts issued before this time are revoked; milliseconds since the Unix epoch.
    let revokedReceipts: [String: Int64]
    /// For each bundle id: until when APNs is expected to refuse its pushes; milliseconds since the Unix epoch.
    let refusedPushes: [String: Int64]
    /// The decoys of the project's password hashes, besides that of new hashes.
    let passwordDecoys: [StoredPassword]
    /// Region and gateway → counts of messages and verified codes, as stored.
    let gatewayCounts: [String: [UInt8]]

    init(
        configuration: ProjectConfiguration?,
        testNumbers: [String: VerificationCode],
        revokedReceipts: [String: Int64],
        refusedPushes: [String: Int64],
        passwordDecoys: [StoredPassword],
        gatewayCounts: [String: [UInt8]]
    ) {
        self.configuration = configuration
        self.testNumbers = testNumbers
        self.revokedReceipts = revokedReceipts
        self.refusedPushes = refusedPushes
        self.passwordDecoys = passwordDecoys
        self.gatewayCounts = gatewayCounts
    }
}

extension Authenticator {
    /// Returns the project's settings, at most as old as ``StoreCaches`` allows.
    /// - Throws: ``StoreUnavailable``.
    func settings(of project: Project) throws(StoreUnavailable) -> ProjectSettings {
        try caches.settings(of: project).value { () throws(StoreUnavailable) in
            let stored = try store.projectSettings(of: project.id)
            let configuration = try read(stored.configuration).configuration
            return ProjectSettings(
                configuration: configuration == ProjectConfiguration() ? nil : configuration,
                testNumbers: opened(stored.testNumbers, of: project),
                revokedReceipts: stored.revokedPushReceipts,
                refusedPushes: stored.refusedPushes,
                passwordDecoys: stored.passwordDecoys.compactMap { StoredPassword($0) },
                gatewayCounts: stored.gatewayCounts
            )
        }
    }

    /// Returns the project with the operators' changes, at most as old as ``StoreCaches`` allows.
    ///
    /// The cache holds only the changes. A caller may pass a project that is already configured, so a cached project
    /// would keep changes that operators have reverted.
    /// - Throws: ``StoreUnavailable``.
    public func configured(_ project: Project) throws(StoreUnavailable) -> Project {
        try settings(of: project).configuration.map(project.configured) ?? project
    }

    /// Decrypts the test numbers. Reports those that no key of the key file decrypts, and omits them.
    func opened(_ stored: [String: [UInt8]], of project: Project) -> [String: VerificationCode] {
        var numbers: [String: VerificationCode] = [:]
        for (hash, sealed) in stored {
            if let (number, code) = openTestNumber(hash, sealed, in: project.id) { numbers[number] = code }
        }
        let lost = stored.count - numbers.count
        if lost > 0 {
            let reason = "\(lost) of \(stored.count) test numbers of \(project.id): no key of the key file opens them"
            store.onDroppedStep?("open test numbers", StoreUnavailable(description: reason))
        }
        return numbers
    }

    /// Decrypts a test number, in E.164 form, and its code; nil if this deployment's keys do not decrypt it.
    func openTestNumber(_ hash: String, _ sealed: [UInt8], in project: String) -> (number: String, VerificationCode)? {
        guard let text = keys.data.open(sealed, context: Self.testNumberContext(hash, project)) else { return nil }
        let parts = String(decoding: text, as: UTF8.self).split(separator: "=")
        guard parts.count == 2, let code = VerificationCode(String(parts[1])) else { return nil }
        return (String(parts[0]), code)
    }

    private static func testNumberContext(_ hash: String, _ project: String) -> SealingContext {
        SealingContext("test-number", of: "\(project)/\(hash)")
    }

    /// Returns a test number as Redis stores it under this identity.
    func sealedTestNumber(
        _ number: String,
        _ code: VerificationCode,
        as identity: PhoneIdentity
    ) throws(OperationFailure) -> (hash: String, sealed: [UInt8]) {
        let context = Self.testNumberContext(identity.hash, identity.project)
        return (identity.hash, try seal(Array("\(number)=\(code.digits)".utf8), context))
    }

    /// Reads a stored configuration.
    /// - Throws: ``StoreUnavailable`` if the stored document is invalid.
    func read(
        _ stored: StoredConfiguration
    ) throws(StoreUnavailable) -> (document: ConfigurationDocument, configuration: ProjectConfiguration) {
        guard
            let document = stored.document.isEmpty
                ? ConfigurationDocument() : ConfigurationDocument(text: stored.document),
            let configuration = try? read(document, strictly: false)
        else { throw .unexpectedReply }
        return (document, configuration)
    }

    /// Reads a document. Plain HTTP hooks on the loopback interface are allowed only in development mode.
    func read(
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
}
