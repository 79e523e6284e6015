import Testing

@testable import IdentityToolkit

@Suite struct WireErrorTests {
    static let envelopes: [(error: WireError, body: String)] = [
        (
            .code(.invalidPhoneNumber, "Invalid format.", logDetail: "not for clients"),
            #"{"error":{"code":400,"message":"INVALID_PHONE_NUMBER : Invalid format.","errors":[{"message":"#
                + #""INVALID_PHONE_NUMBER : Invalid format.","reason":"invalid","domain":"global"}],"#
                + #""status":"INVALID_ARGUMENT"}}"#
        ),
        (
            .missingAPIKey,
            #"{"error":{"code":403,"message":"The request is missing a valid API key.","errors":[{"message":"#
                + #""The request is missing a valid API key.","reason":"forbidden","domain":"global"}],"#
                + #""status":"PERMISSION_DENIED"}}"#
        ),
        (
            .unknownAPIKey,
            #"{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","errors":[{"message":"#
                + #""API key not valid. Please pass a valid API key.","reason":"keyInvalid","domain":"global"}],"#
                + #""status":"INVALID_ARGUMENT"}}"#
        ),
        (
            .notFound,
            #"{"error":{"code":404,"message":"Not Found","errors":[{"message":"Not Found","reason":"notFound","#
                + #""domain":"global"}],"status":"NOT_FOUND"}}"#
        ),
        (
            .unavailable(logDetail: "not for clients"),
            #"{"error":{"code":503,"message":"The service is currently unavailable.","errors":[{"message":"#
                + #""The service is currently unavailable.","reason":"backendError","domain":"global"}],"#
                + #""status":"UNAVAILABLE"}}"#
        ),
        (
            .invalidPayload("A \"quoted\" detail."),
            #"{"error":{"code":400,"message":"Invalid JSON payload received. A \"quoted\" detail.","errors":[{"message":"#
                + #""Invalid JSON payload received. A \"quoted\" detail.","reason":"invalid","domain":"global"}],"#
                + #""status":"INVALID_ARGUMENT"}}"#
        ),
    ]

    @Test("the envelope is the protocol's, byte for byte, and contains nothing from the log", arguments: envelopes)
    func envelope(error: WireError, body: String) {
        #expect(String(decoding: error.body, as: UTF8.self) == body)
    }

    static let statuses: [(error: WireError, code: Int, status: String)] = [
        (.foreignHost, 403, "PERMISSION_DENIED"),
        (.methodNotAllowed, 405, "INVALID_ARGUMENT"),
        (.unsupportedContentType("application/json"), 415, "INVALID_ARGUMENT"),
        (.bodyTooLarge, 413, "INVALID_ARGUMENT"),
        (.headersTooLarge, 431, "INVALID_ARGUMENT"),
        (.internalError(logDetail: "x"), 500, "INTERNAL"),
    ]

    @Test("the envelope of each error contains its HTTP status", arguments: statuses)
    func status(error: WireError, code: Int, status: String) {
        let body = String(decoding: error.body, as: UTF8.self)
        #expect(error.status.http == code)
        #expect(body.hasPrefix("{\"error\":{\"code\":\(code),"))
        #expect(body.hasSuffix("\"status\":\"\(status)\"}}"))
    }
}
