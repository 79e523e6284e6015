internal import Encodings
internal import FastCGI
internal import PhoneAuth

extension IdentityToolkitHandler {
    private static let jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer"

    /// Issues access tokens to service accounts (RFC 7523 § 2.1); Google's libraries call this endpoint `token_uri`.
    /// Its responses and errors follow RFC 6749 § 5, because such libraries read nothing else.
    static func grantAccess(
        _ api: Self,
        _ request: borrowing Request,
        _ record: RequestRecord
    ) throws(WireError) -> Response {
        let fields = try request.tokenFields()
        guard try fields.nonEmptyText("grantType") == jwtBearer else {
            return refused("unsupported_grant_type", "Only JWT bearer assertions are accepted.", record)
        }
        guard let assertion = try fields.nonEmptyText("assertion") else {
            return refused("invalid_request", "The assertion is missing.", record)
        }
        do {
            let granted = try api.authenticator.grantAdminAccess(
                assertion: assertion,
                audiences: [Authenticator.googleTokenAudience] + api.adminInterface.tokenAudiences,
                projects: api.projects.all
            )
            record.reason = "granted"
            return .json(
                JSONWriter.object { json in
                    json.member("access_token", granted.token)
                    json.member("expires_in", granted.lifetime.components.seconds)
                    json.member("token_type", "Bearer")
                }
            )
        } catch {
            return refused("invalid_grant", error.explanation, record)
        }
    }

    private static func refused(_ code: String, _ explanation: String, _ record: RequestRecord) -> Response {
        record.reason = code
        record.detail = explanation
        return .json(
            JSONWriter.object { json in
                json.member("error", code)
                json.member("error_description", explanation)
            },
            status: 400
        )
    }
}
