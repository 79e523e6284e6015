internal import Encodings
internal import FastCGI
internal import PhoneAuth
internal import Reports
import Synchronization

/// What commands report, for the operator's page. An extension: the protocol has no reports.
extension IdentityToolkitHandler {
    private static let maximumEvents = 200
    private static let searchTime: Duration = .milliseconds(500)
    private static let isSearching = Atomic(false)

    /// Makes a report that reads much. A worker makes one at a time: its other threads serve users.
    private static func searching(_ report: () throws(WireError) -> Response) throws(WireError) -> Response {
        guard !isSearching.exchange(true, ordering: .acquiring) else {
            throw .limited(.quotaExceeded, retryAfter: .seconds(1), logDetail: "another report is being made")
        }
        defer { isSearching.store(false, ordering: .releasing) }
        return try report()
    }

    /// Explains the decision with a reference, or the latest requests about a number: `dialtone explain`.
    static func explain(_ call: AdminCall) throws(WireError) -> Response {
        if let number = try call.fields.nonEmptyText("phoneNumber") {
            let report = try NumberRefusal.onWire(
                call.operation.explanationReport(ofNumber: number, call.unsetGateways)
            )
            return .report(report, call)
        }
        guard let reference = try call.reference() else {
            throw .code(.invalidArgument, "Name a number or a reference.")
        }
        let report = try StoreUnavailable.onWire(
            call.operation.authenticator.explanationReport(reference, in: call.operation.project, call.unsetGateways)
        )
        guard let report else {
            throw .code(.invalidArgument, "No decision of this project has this reference, or it has expired.")
        }
        return .report(report, call)
    }

    /// `dialtone outbox`, of one project.
    static func reportOutbox(_ call: AdminCall) throws(WireError) -> Response {
        let operation = call.operation
        return try searching { () throws(WireError) in
            let report = try StoreUnavailable.onWire(
                operation.authenticator.outboxReport(of: [operation.project], call.unsetGateways, atMost: 50)
            )
            return .report(report, call)
        }
    }

    /// `dialtone sms report --daily`.
    static func reportMessages(_ call: AdminCall) throws(WireError) -> Response {
        let days = Int(try call.fields.integer("days") ?? 1)
        guard (1...TollFraudPolicy.ledgerDays).contains(days) else {
            throw .code(.invalidArgument, "days is 1 to \(TollFraudPolicy.ledgerDays).")
        }
        return .report(try StoreUnavailable.onWire(call.operation.smsReport(days: days, daily: true)), call)
    }

    /// `dialtone limits show`.
    static func reportLimits(_ call: AdminCall) throws(WireError) -> Response {
        let operation = call.operation
        if try call.fields.flag("signUps") == true {
            return .report(try StoreUnavailable.onWire(operation.signUpLimitsReport()), call)
        }
        if let address = try call.fields.nonEmptyText("network") {
            guard address.isIPAddress else { throw .code(.invalidArgument, "Not an IP address, such as 192.0.2.1.") }
            return .report(try StoreUnavailable.onWire(operation.limitsReport(ofNetwork: address)), call)
        }
        let number = try call.requiredPhoneNumber()
        return .report(try NumberRefusal.onWire(operation.limitsReport(of: number)), call)
    }

    /// `dialtone limits reset`, of a number.
    static func resetLimits(_ call: AdminCall) throws(WireError) -> Response {
        let number = try call.requiredPhoneNumber()
        _ = try NumberRefusal.onWire(call.operation.resetLimits(of: number))
        call.record.reason = "reset"
        return .json(JSONWriter.object { _ in })
    }

    /// `dialtone test-numbers list`. Codes are secrets.
    static func reportTestNumbers(_ call: AdminCall) throws(WireError) -> Response {
        .report(try StoreUnavailable.onWire(call.operation.testNumbersReport(showsCodes: call.showsSecrets)), call)
    }

    /// `dialtone outbox retry`.
    static func retryUndeliverable(_ call: AdminCall) throws(WireError) -> Response {
        let id = try call.fields.nonEmptyText("id") ?? ""
        // Of the project only, and short: the audit log names it.
        guard QueuedMessageID(id, among: [call.operation.project.id]) != nil else {
            throw .code(.invalidArgument, "Not the id of a message of this project.")
        }
        let outcomes = try StoreUnavailable.onWire(call.operation.requeueUndeliverable(id))
        guard outcomes.contains(.requeued) else {
            throw .code(.invalidArgument, "Too late: its code or link was used or has expired.")
        }
        call.record.reason = "requeued"
        return .json(JSONWriter.object { _ in })
    }

    /// `dialtone audit`, the latest events first.
    static func reportAudit(_ call: AdminCall) throws(WireError) -> Response {
        let operation = call.operation
        var filter = AuditFilter()
        filter.project = operation.project
        filter.uid = try call.fields.nonEmptyText("localId")
        filter.phoneNumber = try call.fields.nonEmptyText("phoneNumber")
        filter.reference = try call.reference()
        filter.since = try call.fields.integer("since").map { Instant(milliseconds: $0) }
        if let kind = try call.fields.nonEmptyText("kind") {
            guard let kind = AuditEventKind(rawValue: kind) else { throw .code(.invalidArgument, "Unknown kind.") }
            filter.kinds = [kind]
        }
        var found = try NumberRefusal.onWire(
            operation.authenticator.auditEvents(filter, among: [operation.project], latestFirst: true)
        )
        return try searching { () throws(WireError) in
            let (events, areAll) = try StoreUnavailable.onWire(found.next(maximumEvents, within: searchTime))
            return .report(.events(events), isPartial: !areAll, call)
        }
    }
}

extension AdminCall {
    fileprivate func reference() throws(WireError) -> DecisionReference? {
        guard let text = try fields.nonEmptyText("reference") else { return nil }
        guard let reference = DecisionReference(text) else { throw .code(.invalidArgument, "Not a reference.") }
        return reference
    }

    fileprivate func requiredPhoneNumber() throws(WireError) -> String {
        guard let number = try fields.nonEmptyText("phoneNumber") else {
            throw .code(.missingPhoneNumber, "Enter a phone number.")
        }
        return number
    }
}

extension NumberRefusal: WireRefusal {
    var wire: WireError {
        switch self {
        case .numberInvalid: .code(.invalidPhoneNumber, "Not a phone number in E.164 form, such as +16505550101.")
        case .unavailable(let store): store.wire
        }
    }
}

extension Response {
    /// Returns the records of a report as objects, and the lines that the command prints.
    fileprivate static func report(_ report: Report, isPartial: Bool = false, _ call: AdminCall) -> Response {
        call.record.reason = "found"
        return .json(
            JSONWriter.object { json in
                json.array("records") { json in
                    for part in report.parts { if let record = part.record { json.value(.object(record.json)) } }
                }
                json.array("lines") { json in
                    for line in report.parts.flatMap({ $0.lines }) { json.value(line.escapingControls) }
                }
                if isPartial { json.member("isPartial", true) }
            }
        )
    }
}
