import Encodings
import Logging
import PhoneNumbers
import TestServers
import Testing

@testable import IdentityToolkit

@Suite struct RequestRecordTests {
    private func logged(_ record: RequestRecord, status: Int, level: Logger.Level = .trace) -> [LoggedLines.Line] {
        let lines = LoggedLines()
        var logger = lines.logger
        logger.logLevel = level
        record.write(to: logger, status: status)
        return lines.all
    }

    @Test("a request logs one line, with at most the last four digits of the number")
    func number() throws {
        let record = RequestRecord(requestID: "id-1", method: "POST")
        record.route = "sendVerificationCode"
        record.project = "demo-app"
        record.phone = try PhoneNumbers().parse("+1 650-555-0177")
        record.reason = "opened"
        record.detail = "more"
        let lines = logged(record, status: 200)
        #expect(lines.count == 1)
        let line = try #require(lines.first)
        #expect(line.level == .info)
        var metadata = line.metadata
        let microseconds = metadata.removeValue(forKey: "durationMicroseconds")
        #expect(microseconds.flatMap(Int.init) != nil)
        #expect(
            metadata == [
                "method": "POST", "route": "sendVerificationCode", "status": "200", "requestId": "id-1",
                "project": "demo-app", "number": "+•••••••0177", "region": "US", "reason": "opened", "detail": "more",
            ]
        )
        #expect(!line.text.contains("50177"))
    }

    @Test("a JSON log handler gets the same members that other handlers get as metadata, sorted by name")
    func members() throws {
        let record = RequestRecord(requestID: "id-1", method: "POST")
        record.project = "demo-app"
        record.phone = try PhoneNumbers().parse("+1 650-555-0177")
        record.reason = "opened"
        record.detail = "more"
        let lines = LoggedJSON()
        record.write(to: Logger(label: "test") { _ in LoggedJSON.Handler(lines: lines) }, status: 503)
        let (level, text) = try #require(lines.all.first)
        #expect(level == .error)
        guard case .object(let object) = try JSONValue.parse(text) else {
            Issue.record("no object")
            return
        }
        let metadata = try #require(logged(record, status: 503).first).metadata
        #expect(object.members.map(\.name) == metadata.keys.sorted())
        #expect(object["status"] == .number("503"))
        for (name, value) in object.members where name != "durationMicroseconds" {
            #expect(value == .string(metadata[name] ?? "") || value == .number(metadata[name] ?? ""))
        }
    }

    @Test("members that the request did not set are absent from its line")
    func absent() throws {
        let line = try #require(logged(RequestRecord(requestID: "id-2", method: "GET"), status: 404).first)
        #expect(Set(line.metadata.keys) == ["method", "route", "status", "durationMicroseconds", "requestId"])
        #expect(line.metadata["route"] == "unknown")
    }

    @Test("server faults are logged as errors", arguments: [500, 503])
    func faults(status: Int) {
        #expect(logged(RequestRecord(requestID: "id-3", method: "GET"), status: status).first?.level == .error)
        #expect(logged(RequestRecord(requestID: "id-3", method: "GET"), status: status, level: .error).count == 1)
        #expect(logged(RequestRecord(requestID: "id-3", method: "GET"), status: 499).first?.level == .info)
        #expect(logged(RequestRecord(requestID: "id-3", method: "GET"), status: 499, level: .warning).isEmpty)
    }

    @Test("dumping or printing shows at most the last four digits of a number")
    func dumped() throws {
        let record = RequestRecord(requestID: "id-4", method: "GET")
        record.phone = try PhoneNumbers().parse("+447911123456")
        var text = "\(record) " + String(reflecting: record)
        dump(record, to: &text)
        #expect(text.contains("3456"))
        #expect(!text.contains("23456"))
    }
}
