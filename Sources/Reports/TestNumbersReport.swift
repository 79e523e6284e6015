package import PhoneAuth
internal import RedisScripts

extension OperationContext {
    /// The types of the records of ``testNumbersReport(showsCodes:)``.
    package static var testNumberRecords: [any ReportRecord.Type] { [TestNumber.self] }

    /// Returns the project's test numbers, with their codes or without.
    /// - Throws: ``StoreUnavailable``.
    package func testNumbersReport(showsCodes: Bool = true) throws(StoreUnavailable) -> Report {
        var report = Report()
        let ofUsers = try testNumbersOfUsers()
        for (number, code) in try testNumbers().sorted(by: { $0.key < $1.key }) {
            let code = showsCodes ? code.digits : "••••••"
            let listed = TestNumber(number: number, code: code, isOfUser: ofUsers.contains(number))
            let note = listed.isOfUser ? "  has no effect: a user's account has this number" : ""
            report.add(listed, ["\(number)  \(code)\(note)"])
        }
        return report
    }
}

private struct TestNumber: ReportRecord {
    let number: String
    let code: String
    let isOfUser: Bool

    static let type = "test-number"
    static var members: ReportMembers<Self> {
        ["number": { $0.number }, "code": { $0.code }, "isOfUser": { $0.isOfUser }]
    }
}
