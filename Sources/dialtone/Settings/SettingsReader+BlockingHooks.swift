import Encodings
import PhoneAuth

extension SettingsReader<ProjectValues> {
    /// Returns the blocking hooks: called before an account is created, a user signs in or a second factor is enrolled.
    func blockingHooks(mode: DeploymentMode) throws(Failure) -> BlockingHooks {
        BlockingHooks(
            beforeCreate: try hook(\.beforeCreateURL, mode),
            beforeSignIn: try hook(\.beforeSignInURL, mode),
            beforeSecondFactorEnrollment: try hook(\.beforeSecondFactorEnrollmentURL, mode)
        )
    }

    private func hook(_ property: KeyPath<ProjectValues, String?>, _ mode: DeploymentMode) throws(Failure)
        -> ServiceURL?
    {
        guard let text = self[dynamicMember: property] else { return nil }
        do {
            return try ServiceURL(text, allowsPlainLoopback: mode == .development)
        } catch {
            let plain = mode == .development ? ", or an http URL with a loopback address" : ""
            throw fault(property, .isNot("an https URL without user name or fragment" + plain))
        }
    }
}
