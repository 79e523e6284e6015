public import PhoneNumbers
public import RedisScripts

/// Why a test number was not set.
public enum TestNumberRefusal: Equatable, StoreRefusal {
    case numberInvalid(PhoneNumberError)
    /// An attacker would guess the code first. Development mode accepts it.
    case codeWeak(VerificationCode.Weakness)
    case tooMany
    /// An account has the number, and not by the number's test code.
    case numberOfUser
    case unavailable(StoreUnavailable)
    case internalFailure
}

extension Project {
    /// The maximum number of test numbers of a project.
    public static let maximumTestNumbers = 10
}

/// Test numbers: fictional numbers with a fixed code. They get no message, are exempt from all rate limits except those
/// on wrong codes, and need no app proof unless ``Project/requiresAppProofForTestNumbers`` is true. Their sessions
/// share nothing with sessions from the time when the number was not a test number.
///
/// A test number's code never signs in as a user: it proves only claims and second factors that arose from it.
/// Operators cannot set a number that a user has, nor give a test number to an account. Both checks only report
/// mistakes early: the marks of claims (``IdentifierClaim``) and of second factors decide at each sign-in.
extension OperationContext {
    /// Returns the project's test numbers, read from the store.
    /// - Throws: ``StoreUnavailable``.
    public func testNumbers() throws(StoreUnavailable) -> [String: VerificationCode] {
        authenticator.opened(try store.testNumbers(of: project.id), of: project)
    }

    /// Returns the test numbers whose fixed code may be used: all, except a `phone` that an account has otherwise.
    func usableTestNumbers(for phone: E164) throws(StoreUnavailable) -> [String: VerificationCode] {
        var testNumbers = try settings().testNumbers
        if testNumbers[phone.text] != nil, try isOfUser(phone) { testNumbers[phone.text] = nil }
        return testNumbers
    }

    /// Returns whether an account has a number, and not by the code of a test number.
    func isOfUser(_ phone: E164) throws(StoreUnavailable) -> Bool {
        try holder(of: identity(of: phone.text)).map { !$0.claim.isOfTestNumber } ?? false
    }

    /// Returns the project's test numbers that do not work, because an account has them otherwise.
    /// - Throws: ``StoreUnavailable``.
    public func testNumbersOfUsers() throws(StoreUnavailable) -> [String] {
        var numbers: [String] = []
        for number in try testNumbers().keys.sorted() {
            if let phone = try? phoneNumbers.parse(number), try isOfUser(phone) { numbers.append(number) }
        }
        return numbers
    }

    /// Adds a test number, or replaces its code.
    /// - Throws: ``TestNumberRefusal``: `tooMany` beyond ``Project/maximumTestNumbers``, `numberOfUser` if an account
    ///   has the number. No index leads from a number to the accounts whose second factor it is, so these are not
    ///   found: but codes for their second factors are still sent by message.
    public func setTestNumber(_ number: String, code: VerificationCode) throws(TestNumberRefusal) {
        let phone = try readTestNumber(number)
        if let weakness = weakness(of: code, for: phone) { throw .codeWeak(weakness) }
        guard try !TestNumberRefusal.wrapping(isOfUser(phone)) else { throw .numberOfUser }
        _ = try changeTestNumber(phone, to: code)
    }

    /// Removes a test number. Returns false if the number was not a test number.
    /// - Throws: ``TestNumberRefusal``.
    public func removeTestNumber(_ number: String) throws(TestNumberRefusal) -> Bool {
        try changeTestNumber(readTestNumber(number), to: nil)
    }

    private func readTestNumber(_ text: String) throws(TestNumberRefusal) -> E164 {
        do { return try phoneNumbers.parse(text) } catch { throw .numberInvalid(error) }
    }

    /// Gives a test number this code, or removes it if the code is nil. Returns false if there was nothing to remove.
    /// Starts again if the configuration changes concurrently, so the log names the change that was made.
    private func changeTestNumber(_ phone: E164, to code: VerificationCode?) throws(TestNumberRefusal) -> Bool {
        let hash = identity(of: phone.text).hash
        var sealed: [UInt8]?
        if let code {
            do { sealed = try sealedTestNumber(phone, code).sealed } catch { throw .internalFailure }
        }
        for _ in 0..<Self.changeAttempts {
            let stored = try TestNumberRefusal.wrapping(store.projectSettings(of: project.id))
            let former = stored.testNumbers[hash]
            guard former != nil || sealed != nil else { return false }
            var numbers = stored.testNumbers
            numbers[hash] = sealed
            guard former != nil || numbers.count <= Project.maximumTestNumbers else { throw .tooMany }
            let formerCode = former.flatMap { authenticator.openTestNumber(hash, $0, in: project.id)?.1 }
            try TestNumberRefusal.wrapping(recordChange(of: phone, from: formerCode, to: code))
            let isChanged = try TestNumberRefusal.wrapping(
                store.setConfiguration(
                    StoredConfiguration(
                        document: stored.configuration.document,
                        version: stored.configuration.version + 1
                    ),
                    testNumbers: numbers,
                    of: project.id
                )
            )
            if isChanged { return true }
        }
        throw .unavailable(StoreUnavailable(description: "other operators kept changing the configuration"))
    }

    /// Records that a test number is new, has another code, or is removed. The codes are secrets.
    func recordChange(
        of phone: E164,
        from former: VerificationCode?,
        to new: VerificationCode?
    ) throws(StoreUnavailable) {
        let change =
            switch (former, new) {
            case (_, nil): "remove \(phone)"
            case (nil, _): "set \(phone)"
            case (let former?, let new?): "set \(phone), \(former.digits == new.digits ? "the same" : "another") code"
            }
        try recordChange("test-numbers \(change)", of: identity(of: phone.text))
    }

    /// Returns why a test number may not have this code; nil if it may.
    func weakness(of code: VerificationCode, for phone: E164) -> VerificationCode.Weakness? {
        policy.development == nil ? code.weakness(for: phone) : nil
    }

    /// Returns a test number as Redis stores it: hashed, and encrypted with its code.
    func sealedTestNumber(
        _ phone: E164,
        _ code: VerificationCode
    ) throws(OperationFailure) -> (hash: String, sealed: [UInt8]) {
        try authenticator.sealedTestNumber(phone.text, code, as: identity(of: phone.text))
    }
}
