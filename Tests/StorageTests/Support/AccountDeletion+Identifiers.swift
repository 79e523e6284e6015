@testable import PhoneAuth
@testable import RedisScripts

extension AccountDeletion {
    /// The identifiers to release from the account; nil if it was not deleted.
    var identifiers: [HeldIdentifier]? {
        if case .deleted(let identifiers) = self { identifiers } else { nil }
    }
}
