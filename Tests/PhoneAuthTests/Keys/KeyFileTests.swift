import Encodings
import Testing

@testable import PhoneAuth

@Suite struct KeyFileTests {
    private let file: String

    init() {
        file = String(decoding: TestKeys.file(), as: UTF8.self)
    }

    private func parse(_ text: String) throws(KeyFileError) -> ServerKeys { try KeyFile.parse(Array(text.utf8)) }

    private func replacing(_ text: String, by other: String) throws -> String {
        let pieces = file.split(separator: text, omittingEmptySubsequences: false)
        try #require(pieces.count > 1, "\(text) stands in the key file")
        return pieces.joined(separator: other)
    }

    @Test("a new key file round-trips")
    func reads() throws {
        let keys = try parse(file)
        let signing = keys.signingKeys.current.signing(at: SettableEnvironment(seed: 1).now)
        #expect(signing.id == "key-1")
        #expect(signing.certificate == "-----BEGIN CERTIFICATE-----")
        #expect(keys.signingKeys.current.published.map(\.id) == ["key-1"])
        // A 2048-bit key with the exponent 65537.
        #expect(Base64URL.decode(signing.publicKey.modulus.utf8)?.count == 256)
        #expect(signing.publicKey.exponent == "AQAB")
        #expect(keys.signingKey("key-1") != nil)
        #expect(keys.signingKey("key-2") == nil)
    }

    @Test("a new key file has three different keys of 32 bytes")
    func newKeys() throws {
        guard case .object(let object) = try JSONValue.parse(Array(file.utf8)),
            case .array(let dataKeys) = object["dataKeys"], case .object(let dataKey) = dataKeys.first,
            case .array(let indexKeys) = object["indexKeys"], case .object(let indexKey) = indexKeys.first
        else {
            Issue.record("no object")
            return
        }
        var keys: Set<[UInt8]> = []
        for case .string(let text) in [object["serverKey"], indexKey["key"], dataKey["key"]] {
            keys.insert(try #require(Base64URL.decode(text.utf8)))
        }
        #expect(keys.count == 3)
        #expect(keys.allSatisfy { $0.count == 32 })
    }

    static let changes: [(text: String, other: String, description: String)] = [
        (#""version":1"#, #""version":2"#, "version: expected 1"),
        (#""version":1"#, #""version":"1""#, "version: expected 1"),
        (#""serverKey":""#, #""serverKey":"A"#, "serverKey: expected 32 bytes in base64url"),
        (#""serverKey":"#, #""x":"#, "serverKey: expected a string"),
        (#""indexKeys":"#, #""x":"#, "indexKeys: expected a list of at least one key"),
        (#""indexKeys":["#, #""indexKeys":[],"x":["#, "indexKeys: expected a list of at least one key"),
        (#""dataKeys":"#, #""x":"#, "dataKeys: expected a list of at least one key"),
        (#""dataKeys":["#, #""dataKeys":[],"x":["#, "dataKeys: expected a list of at least one key"),
        (#""dataKeys":["#, #""dataKeys":[7,"#, "dataKeys[0]: expected an object"),
        (#"{"id":1,"#, #"{"id":256,"#, "dataKeys[0].id: expected a number from 0 to 255"),
        (#"{"id":1,"#, #"{"id":"1","#, "dataKeys[0].id: expected a number from 0 to 255"),
        (#"{"id":1,"key":""#, #"{"id":1,"key":"+"#, "dataKeys[0].key: expected 32 bytes in base64url"),
        (#""signingKeys":"#, #""x":"#, "signingKeys: expected a list of at least one key"),
        (
            #""privateKey":""#, #""privateKey":"x"#,
            "signingKeys[0].privateKey: expected an RSA key of at least 2048 bits as PEM"
        ),
        (#""certificate":"#, #""x":"#, "signingKeys[0].certificate: expected a string"),
        (#"{"id":"key-1","#, #"{"id":"","#, "signingKeys[0].id: expected a string"),
        (#""signsFrom":"#, #""signsFrom":-"#, "signingKeys[0].signsFrom: expected whole seconds since 1970"),
        (#""signsFrom":"#, #""signsFrom":1."#, "signingKeys[0].signsFrom: expected whole seconds since 1970"),
        (#""signsFrom":"#, #""signsFrom":100"#, "signingKeys[0].signsFrom: expected whole seconds since 1970"),
        (#""signsFrom":"#, #""signsFrom":"","x":"#, "signingKeys[0].signsFrom: expected whole seconds since 1970"),
    ]

    @Test("an error names the invalid field", arguments: changes)
    func errors(text: String, other: String, description: String) throws {
        let changed = try replacing(text, by: other)
        #expect(throws: KeyFileError(description: description)) { try parse(changed) }
    }

    @Test("a file that is not a JSON object is rejected", arguments: ["", "x", "[]", "1", "{"])
    func noObject(text: String) {
        #expect(throws: KeyFileError(description: "the key file is not a JSON object")) { try parse(text) }
    }

    @Test("two data keys with one id are rejected")
    func twins() throws {
        let key = Base64URL.string([UInt8](repeating: 7, count: 32))
        let text = try replacing(#""dataKeys":["#, by: #""dataKeys":[{"id":1,"key":"\#(key)"},"#)
        #expect(throws: KeyFileError(description: "dataKeys: an id is repeated")) { try parse(text) }
    }

    @Test("an RSA key of 1024 bits is rejected")
    func shortKey() {
        let text = String(decoding: TestKeys.file(privateKey: TestKeys.shortPrivateKey), as: UTF8.self)
        let description = "signingKeys[0].privateKey: expected an RSA key of at least 2048 bits as PEM"
        #expect(throws: KeyFileError(description: description)) { try parse(text) }
    }

    @Test("printing or dumping server keys, errors and codes shows no secret")
    func printing() throws {
        let keys = try parse(file)
        guard case .object(let object) = try JSONValue.parse(Array(file.utf8)),
            case .string(let serverKey) = object["serverKey"], case .array(let indexKeys) = object["indexKeys"],
            case .object(let entry) = indexKeys.first, case .string(let indexKey) = entry["key"]
        else {
            Issue.record("no object")
            return
        }
        var text = "\(keys) " + String(reflecting: keys)
        dump(keys, to: &text)
        for secret in [serverKey, indexKey] {
            let bytes = try #require(Base64URL.decode(secret.utf8))
            #expect(!text.contains(secret))
            #expect(!text.contains(bytes.prefix(6).map(String.init).joined(separator: ", ")))
        }
        #expect(!text.contains("PRIVATE KEY"))
        let code = try #require(VerificationCode("271828"))
        var dumped = "\(code) " + String(reflecting: code)
        dump(code, to: &dumped)
        dump([code], to: &dumped)
        #expect(!dumped.contains("271828"))
    }
}
