import Encodings
import PhoneAuth

/// Who is asked before accounts are made, users sign in and get second factors.
extension SettingsReader {
    func blockingHooks(of project: String, isDevelopment: Bool) throws(Failure) -> BlockingHooks {
        BlockingHooks(
            beforeCreate: try hook("project.\(project).beforeCreateUrl", isDevelopment),
            beforeSignIn: try hook("project.\(project).beforeSignInUrl", isDevelopment),
            beforeSecondFactorEnrollment: try hook(
                "project.\(project).beforeSecondFactorEnrollmentUrl",
                isDevelopment
            )
        )
    }

    private func hook(_ key: String, _ isDevelopment: Bool) throws(Failure) -> ServiceURL? {
        guard let text = source.text(key) else { return nil }
        do {
            return try ServiceURL(text, allowsPlainLoopback: isDevelopment)
        } catch {
            throw wrong(
                key,
                "an https address without user name or fragment"
                    + (isDevelopment ? ", or http to an address of this machine itself" : "")
            )
        }
    }
}
