import Testing

@testable import PhoneAuth

/// Suites in which operators create and change accounts.
protocol AccountAdministrationSuite {
    var authenticator: Authenticator { get }
    var project: Project { get }
}

extension AccountAdministrationSuite {
    func create(
        _ uid: String?,
        number: String? = nil,
        request: String = "r",
        _ edit: (inout AccountChange) -> Void = { _ in }
    ) throws(AccountRefusal) -> Account {
        var change = AccountChange()
        if let number { change.phoneNumber = .set(number) }
        edit(&change)
        return try authenticator.in(project).createAccount(uid: uid, change, requestID: request)
    }

    func change(_ uid: String, _ edit: (inout AccountChange) -> Void) throws(AccountRefusal) -> Account {
        var change = AccountChange()
        edit(&change)
        return try authenticator.in(project).changeAccount(uid: uid, change)
    }

    /// Returns the description of an operation's refusal.
    func refusal(_ operation: () throws(AccountRefusal) -> Account) -> String {
        do {
            _ = try operation()
            return "none"
        } catch {
            return "\(error)"
        }
    }
}
