internal import Encodings
internal import FastCGI
internal import PhoneAuth

extension IdentityToolkitHandler {
    /// Creates a session cookie. Its lifetime is 300 seconds to 14 days; 14 days if the request names no duration.
    static func createSessionCookie(_ call: AdminCall) throws(WireError) -> Response {
        guard let idToken = try call.fields.nonEmptyText("idToken") else { throw .code(.missingIDToken) }
        var lifetime = SessionCookie.lifetimes.upperBound
        if let text = try call.fields.nonEmptyText("validDuration") {
            guard let seconds = Int64(wholeNumber: text) else { throw .code(.invalidDuration) }
            lifetime = .seconds(seconds)
        }
        let cookie = try SessionCookieRefusal.onWire(
            call.operation.createSessionCookie(idToken: idToken, lifetime: lifetime)
        )
        call.record.reason = "created"
        return .json(JSONWriter.object { $0.member("sessionCookie", cookie) })
    }
}

extension SessionCookieRefusal: WireRefusal {
    var wire: WireError {
        switch self {
        case .durationInvalid: .code(.invalidDuration)
        case .notAuthenticated(let refusal): refusal.wire
        case .failed(let failure): failure.wire
        }
    }
}
