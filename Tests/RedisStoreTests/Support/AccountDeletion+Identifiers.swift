@testable import RedisStore

extension AccountDeletion {
    /// What is to be released from the account; nil if it was not deleted.
    var identifiers: [HeldIdentifier]? {
        if case .deleted(let identifiers) = self { identifiers } else { nil }
    }
}
