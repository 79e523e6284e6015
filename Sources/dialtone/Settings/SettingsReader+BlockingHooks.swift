import Encodings
import PhoneAuth

extension SettingsReader<ProjectValues> {
    /// Returns the blocking hooks: called before an account is created, a user signs in or a second factor is enrolled.
    func blockingHooks(mode: DeploymentMode) -> BlockingHooks {
        BlockingHooks(
            beforeCreate: collect(try hook(\.beforeCreateURL, mode)) ?? nil,
            beforeSignIn: collect(try hook(\.beforeSignInURL, mode)) ?? nil,
            beforeSecondFactorEnrollment: collect(try hook(\.beforeSecondFactorEnrollmentURL, mode)) ?? nil
        )
    }

    private func hook(_ property: KeyPath<ProjectValues, String?>, _ mode: DeploymentMode) throws(FaultySetting)
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
