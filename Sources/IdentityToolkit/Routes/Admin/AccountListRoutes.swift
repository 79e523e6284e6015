internal import Encodings
internal import FastCGI
internal import PhoneAuth

/// Operators' queries for accounts.
extension IdentityToolkitHandler {
    private static let maximumIdentifiers = 100

    /// Returns accounts by uid, by phone number and by e-mail address, without duplicates. Accounts have no federated
    /// identities to look up.
    static func lookUpAccounts(_ call: AdminCall) throws(WireError) -> Response {
        let uids = try call.fields.texts("localId") ?? []
        let numbers = try call.fields.texts("phoneNumber") ?? []
        let emails = try call.fields.texts("email") ?? []
        guard uids.count + numbers.count + emails.count <= maximumIdentifiers else {
            throw .code(.invalidArgument, "At most \(maximumIdentifiers) identifiers.")
        }
        let accounts = distinct(
            try StoreUnavailable.onWire(call.operation.accounts(uids: uids, phoneNumbers: numbers, emails: emails))
        )
        call.record.reason = accounts.isEmpty ? "not-found" : "found"
        return .json(
            JSONWriter.object { json in
                json.member("kind", "identitytoolkit#GetAccountInfoResponse")
                json.users(accounts)
            }
        )
    }

    /// Returns a page of accounts in the order of their uids. A full page has a token for the next page.
    static func listAccounts(_ call: AdminCall) throws(WireError) -> Response {
        let limit = try pageSize(call.parameter("maxResults"), or: 20, atMost: 1000)
        let token = try call.parameter("nextPageToken")
        var last: String?
        if let token {
            guard let bytes = Base64URL.decode(token.utf8), let uid = String(validUTF8: bytes.span) else {
                throw .code(.invalidPageSelection)
            }
            last = uid
        }
        let page = try StoreUnavailable.onWire(call.operation.accounts(after: last, limit: limit))
        call.record.reason = "listed"
        return .json(
            JSONWriter.object { json in
                json.member("kind", "identitytoolkit#DownloadAccountResponse")
                json.users(page.accounts)
                if let last = page.last { json.member("nextPageToken", Base64URL.string(Array(last.utf8))) }
            }
        )
    }

    /// Counts accounts, finds accounts by expressions, or pages through them in the order of their uids.
    static func queryAccounts(_ call: AdminCall) throws(WireError) -> Response {
        call.record.reason = "listed"
        let expressions = try call.fields.objects("expression") ?? []
        let wantsAccounts = try call.fields.flag("returnUserInfo") ?? true
        guard wantsAccounts || !expressions.isEmpty else {
            let count = try StoreUnavailable.onWire(call.operation.accountCount())
            return .json(JSONWriter.object { $0.member("recordsCount", String(count)) })
        }
        let accounts = expressions.isEmpty ? try page(call) : try matches(expressions, call)
        return .json(
            JSONWriter.object { json in
                json.member("recordsCount", String(accounts.count))
                guard wantsAccounts, !accounts.isEmpty else { return }
                json.array("userInfo") { json in for account in accounts { json.account(account, for: .operator) } }
            }
        )
    }

    private static func page(_ call: AdminCall) throws(WireError) -> [Account] {
        let order = try call.fields.enumeration("sortBy", ["SORT_BY_FIELD_UNSPECIFIED", "USER_ID"]) ?? "USER_ID"
        let direction = try call.fields.enumeration("order", ["ORDER_UNSPECIFIED", "ASC"]) ?? "ASC"
        guard ["SORT_BY_FIELD_UNSPECIFIED", "USER_ID"].contains(order),
            ["ORDER_UNSPECIFIED", "ASC"].contains(direction)
        else { throw .code(.operationNotAllowed, "Accounts are sorted by USER_ID, ascending.") }
        let limit = try pageSize(call.fields.text("limit"), or: 500, atMost: 500)
        let offset = Int(try call.fields.integer("offset") ?? 0)
        guard (0...10_000).contains(offset) else {
            throw .code(.invalidPageSelection, "Beyond 10000 accounts use accounts:batchGet.")
        }
        let found = try StoreUnavailable.onWire(call.operation.accounts(after: nil, limit: offset + limit).accounts)
        return Array(found.dropFirst(offset))
    }

    private static func matches(_ expressions: [Fields], _ call: AdminCall) throws(WireError) -> [Account] {
        var found: [Account] = []
        for expression in expressions {
            let uid = try expression.nonEmptyText("userId")
            let number = try expression.nonEmptyText("phoneNumber")
            let email = try expression.nonEmptyText("email")
            // Only the first of the three counts.
            let numbers = uid == nil ? [number].compactMap(\.self) : []
            let emails = uid == nil && number == nil ? [email].compactMap(\.self) : []
            found += try StoreUnavailable.onWire(
                call.operation.accounts(uids: [uid].compactMap(\.self), phoneNumbers: numbers, emails: emails)
            )
        }
        return distinct(found)
    }

    /// Returns each account once. Uids are compared as bytes: strings that differ only in Unicode normalization are
    /// equal, and such uids are not.
    private static func distinct(_ accounts: [Account]) -> [Account] {
        var uids: Set<[UInt8]> = []
        return accounts.filter { uids.insert(Array($0.uid.utf8)).inserted }
    }

    private static func pageSize(_ text: String?, or standard: Int, atMost maximum: Int) throws(WireError) -> Int {
        guard let text, !text.isEmpty else { return standard }
        guard let size = Int64(wholeNumber: text).map(Int.init), (0...maximum).contains(size) else {
            throw .code(.invalidPageSelection)
        }
        return size == 0 ? standard : size
    }
}

extension JSONWriter {
    /// Writes the member `users`, which is absent if the list is empty.
    fileprivate mutating func users(_ accounts: [Account]) {
        guard !accounts.isEmpty else { return }
        array("users") { json in for account in accounts { json.account(account, for: .operator) } }
    }
}

extension OperationContext {
    /// Returns the accounts with these identifiers, in this order; an identifier without an account is skipped.
    fileprivate func accounts(
        uids: [String],
        phoneNumbers: [String],
        emails: [String]
    ) throws(StoreUnavailable) -> [Account] {
        var found = uids.isEmpty ? [] : try accounts(uids: uids)
        for number in phoneNumbers { if let account = try account(ofPhoneNumber: number) { found.append(account) } }
        for email in emails { if let account = try account(ofEmail: email) { found.append(account) } }
        return found
    }
}
