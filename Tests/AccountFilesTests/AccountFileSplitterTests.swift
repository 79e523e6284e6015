import TestServers
import Testing

@testable import AccountFiles

@Suite struct AccountFileSplitterTests {
    /// Returns the records of a file read in chunks of this size, as `place: text`, and the error that ended the
    /// reading.
    private func split(
        _ text: String,
        marked mark: [UInt8] = [],
        chunks size: Int = 7
    ) -> (records: [String], fault: AccountFileError?) {
        var splitter = AccountFileSplitter()
        var records: [String] = []
        func take(_ record: FileRecord) {
            records.append(
                "\(record.place): \(record.content.map { String(decoding: $0, as: UTF8.self) } ?? "too long")"
            )
        }
        let bytes = mark + Array(text.utf8)
        do {
            for start in stride(from: 0, to: bytes.count, by: size) {
                try splitter.split(Array(bytes[start..<min(start + size, bytes.count)]), take)
            }
            try splitter.finish(take)
            return (records, nil)
        } catch {
            return (records, error)
        }
    }

    static let chunkSizes = [1, 2, 3, 5, 64, 100_000]

    @Test("line numbers count from 1 and include empty lines, which are skipped", arguments: chunkSizes)
    func lines(size: Int) {
        let (records, fault) = split("{\"localId\":\"a\"}\r\n\n  \n{\"localId\":\"b\"}\nnonsense", chunks: size)
        #expect(records == ["line 1: {\"localId\":\"a\"}", "line 4: {\"localId\":\"b\"}", "line 5: nonsense"])
        #expect(fault == nil)
    }

    @Test("Firebase's user list is found, whatever surrounds it or is in its strings", arguments: chunkSizes)
    func users(size: Int) {
        let text = """
            {"users" : [
            {"a":"]}\\"{", "b":[{}, 1]} ,
             {} , "text\\\\", 12,null],
             "users2":[{"users":[1]}], "kind":"x\\"" , "n":-1.5e3}

            """
        let (records, fault) = split(text, chunks: size)
        #expect(
            records == [
                #"users[0]: {"a":"]}\"{", "b":[{}, 1]}"#, "users[1]: {}", #"users[2]: "text\\""#, "users[3]: 12",
                "users[4]: null",
            ]
        )
        #expect(fault == nil)
        #expect(split("{\"kind\":\"x\",\"users\":[{}]}", chunks: size).records == ["users[0]: {}"])
    }

    @Test(
        "pretty-printed accounts are read without a list, and so are several pages in one file",
        arguments: chunkSizes
    )
    func sequences(size: Int) {
        let account = "{\n  \"email\": \"a@example.com\",\n  \"localId\": \"a\"\n}"
        let accounts = split("\n\(account)\n\(account) {}\n", chunks: size)
        #expect(accounts.records == ["line 2: \(account)", "line 6: \(account)", "line 9: {}"])
        #expect(accounts.fault == nil)
        let kind = "\"kind\":\"identitytoolkit#DownloadAccountResponse\""
        let page = "{\(kind),\"users\":[{}],\"nextPageToken\":\"x\"}"
        let pages = split("\(page)\n{\"users\":[12]}{\(kind)}", chunks: size)
        #expect(pages.records == ["users[0]: {}", "users[1]: 12"] && pages.fault == nil)
        let first = split("{\"nextPageToken\":\"x\",\"users\":[{},{}]}", chunks: size)
        #expect(first.records.count == 2 && first.fault == .nextPageMissing(accountCount: 2))
        for last in ["\"\"", "null"] {
            #expect(split("{\"users\":[{}],\"nextPageToken\":\(last)}", chunks: size).fault == nil)
        }
    }

    @Test(
        "a file of another kind is reported once",
        arguments: [
            ("localId,email\nx,ada@example.com\ny,\n", AccountFileError.notJSON), ("nonsense", .notJSON),
            ("\"text\"", .notJSON), ("[\n {\"localId\": \"a\"}\n]", .noAccounts),
            ("{\n  \"error\": {\n    \"code\": 403\n  }\n}\n", .noAccounts),
            ("{\"signIn\":{\"allowDuplicateEmails\":false}}", .noAccounts), ("{}", .noAccounts),
            ("{}\n \n", .noAccounts),
            ("", .empty), ("\n", .empty), ("\u{FEFF}", .empty), ("\u{FEFF}\r\n", .empty),
        ]
    )
    func otherForms(text: String, fault: AccountFileError) {
        for size in Self.chunkSizes {
            let outcome = split(text, chunks: size)
            #expect(outcome.records.isEmpty && outcome.fault == fault)
        }
    }

    @Test("a first object without a uid is an account if another one follows", arguments: chunkSizes)
    func doubtful(size: Int) {
        for (text, places) in [
            ("{\"a\":1}\n\n{\"localId\":\"b\"}", [1, 3]), ("{\"a\":1}\nnonsense", [1, 2]),
            ("{\"a\":1}{\"localId\":\"b\"}", [1, 1]), ("{\"local_id\":\"a\"}", [1]),
        ] {
            let (records, fault) = split(text, chunks: size)
            #expect(records.map { $0.prefix(7) } == places.map { "line \($0):" } && fault == nil, "\(text)")
        }
        let page = split("{\"a\":1} {\"users\":[{}]}", chunks: size)
        #expect(page.records == ["line 1: {\"a\":1}", "users[0]: {}"] && page.fault == nil)
    }

    @Test("only a page's own `nextPageToken` shows that accounts are missing", arguments: chunkSizes)
    func nextPage(size: Int) {
        let (token, kind) = ("\"nextPageToken\":\"x\"", "\"kind\":\"k\"")
        for account in [
            "{\"localId\":\"a\",\(token)}", "{\(token),\(kind),\"localId\":\"a\"}",
            "{\(kind),\"local_id\":\"a\",\(token)}",
        ] {
            let alone = split(account, chunks: size)
            #expect(alone.records == ["line 1: \(account)"] && alone.fault == nil)
            let listed = split("{\"users\":[\(account)]}", chunks: size)
            #expect(listed.records == ["users[0]: \(account)"] && listed.fault == nil)
            let page = split("{\"users\":[{}],\(token)}\n\(account)", chunks: size)
            #expect(page.records.count == 2 && page.fault == .nextPageMissing(accountCount: 1))
        }
    }

    @Test("the format is detected after a byte order mark, and a list may be empty", arguments: chunkSizes)
    func detection(size: Int) {
        #expect(split("\u{FEFF}{\"users\":[{}]}", chunks: size).records == ["users[0]: {}"])
        #expect(split("\u{FEFF}{\"localId\":1}", chunks: size).records == ["line 1: {\"localId\":1}"])
        let (records, fault) = split("{\"users\":[]}", chunks: size)
        #expect(records.isEmpty && fault == nil)
    }

    @Test(
        "records before an error are returned",
        arguments: [
            ("{\"users\":[{},{}", 2, AccountFileError.truncated), ("{\"users\":[{},{\"a\":\"", 1, .truncated),
            ("{\"users\":[{}]", 1, .truncated), ("{\"users\":[{} {}]}", 1, .unexpectedByte(offset: 13)),
            ("{\"users\":[{},]}", 1, .unexpectedByte(offset: 13)),
            ("{\"users\":{}}", 0, .unexpectedByte(offset: 9)), ("{\"users\":[}", 0, .unexpectedByte(offset: 10)),
            ("{\"users\":[{}]}x", 1, .unexpectedByte(offset: 14)),
            ("{\"localId\":\"a\"}x", 1, .unexpectedByte(offset: 15)), ("{\"localId\":\"a\"", 0, .truncated),
            ("{\"localId\"\n}", 0, .unexpectedByte(offset: 11)),
            ("{\"users\":[{}],}", 1, .unexpectedByte(offset: 14)),
            ("{\"users\":[{}]]", 1, .unexpectedByte(offset: 13)),
        ]
    )
    func faults(text: String, count: Int, fault: AccountFileError) {
        for size in Self.chunkSizes {
            let outcome = split(text, chunks: size)
            #expect(outcome.records.count == count && outcome.fault == fault)
        }
    }

    @Test("an error's offset counts from the start of the file, including the byte order mark", arguments: chunkSizes)
    func faultBehindMark(size: Int) {
        #expect(split("\u{FEFF}{\"users\":[{} {}]}", chunks: size).fault == .unexpectedByte(offset: 16))
    }

    @Test("a part of a byte order mark is not JSON", arguments: [[0xEF], [0xEF, 0xBB], [0x0D, 0xBB]] as [[UInt8]])
    func partOfMark(part: [UInt8]) {
        for text in ["", "{\"localId\":1}", "[]"] {
            #expect(split(text, marked: part, chunks: 1).fault == .notJSON)
        }
    }

    @Test("a list is found, however much precedes it", arguments: [64, 100_000])
    func lateBeginning(size: Int) {
        let long = String(repeating: "x", count: 70_000)
        let late = String(repeating: "\n", count: 4200) + "{\"a\":\"\(long)\",\"users\":[{}]}"
        #expect(split(late, chunks: size).records == ["users[0]: {}"])
    }

    @Test("a record that is too long is skipped, and later records are read", arguments: [64, 100_000])
    func tooLong(size: Int) {
        let long = String(repeating: "x", count: FileRecord.maximumByteCount)
        #expect(
            split("{}\n{\"a\":\"\(long)\"}\n{}", chunks: size).records == [
                "line 1: {}", "line 2: too long", "line 3: {}",
            ]
        )
        let users = split("{\"users\":[{},{\"a\":\"\(long)\"},{}],\"rest\":\"\(long)\"}", chunks: size)
        #expect(users.records == ["users[0]: {}", "users[1]: too long", "users[2]: {}"])
        #expect(users.fault == nil)
    }

    @Test("invalid input of any kind terminates, with the same result for every chunk size")
    func nonsense() {
        var generator = SplitMix(seed: 5)
        let alphabet = Array("{}[]\",:\\ \nusers01-")
        for _ in 0..<2000 {
            let tail = (0..<Int.random(in: 0..<40, using: &generator)).map { _ in
                alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
            }
            let text = (Bool.random(using: &generator) ? "{\"users\":[" : "") + String(tail)
            let whole = split(text, chunks: 1000)
            for size in [1, 3] {
                let parts = split(text, chunks: size)
                #expect(parts.records == whole.records && parts.fault == whole.fault)
            }
        }
    }
}
