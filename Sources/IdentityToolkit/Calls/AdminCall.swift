internal import Encodings
internal import PhoneAuth

/// One call of an admin route.
struct AdminCall {
    /// The context of the operation that is called.
    let operation: OperationContext
    let fields: Fields
    /// The URL's query, for requests without a body.
    let query: FormFields
    /// Whether the administrator may read secrets, such as the codes of test numbers. Write access is required.
    let showsSecrets: Bool
    let record: RequestRecord

    var project: Project { operation.project }

    /// Returns a query parameter; old Admin SDKs send it in the body.
    func parameter(_ name: String) throws(WireError) -> String? {
        if let text = query[name] { return text.isEmpty ? nil : text }
        return try fields.nonEmptyText(name)
    }

    /// Returns the uid of an operation on one account.
    func requiredUID() throws(WireError) -> String {
        guard let uid = try fields.nonEmptyText("localId") else { throw .code(.missingLocalID) }
        return uid
    }
}
