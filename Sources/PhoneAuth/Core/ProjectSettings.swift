internal import Passwords
internal import RedisScripts

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

    init(
        configuration: ProjectConfiguration?,
        testNumbers: [String: VerificationCode],
        revokedReceipts: [String: Int64],
        refusedPushes: [String: Int64],
        passwordDecoys: [StoredPassword]
    ) {
        self.configuration = configuration
        self.testNumbers = testNumbers
        self.revokedReceipts = revokedReceipts
        self.refusedPushes = refusedPushes
        self.passwordDecoys = passwordDecoys
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
                passwordDecoys: stored.passwordDecoys.compactMap { StoredPassword($0) }
            )
        }
    }
}
