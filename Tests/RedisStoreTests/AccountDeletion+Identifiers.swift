@testable import RedisStore

extension AccountDeletion {
    /// What is to let go of the account; nil if it was not deleted.
    var identifiers: [HeldIdentifier]? {
        if case .deleted(let identifiers) = self { identifiers } else { nil }
    }
}
