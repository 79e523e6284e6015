internal import Encodings
internal import FastCGI
internal import PhoneAuth

extension IdentityToolkitHandler {
    private static let jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer"

    /// Issues access tokens to service accounts (RFC 7523 § 2.1); Google's libraries call this endpoint `token_uri`.
    /// Its responses and errors follow RFC 6749 § 5, because such libraries read nothing else.
    func grantAccess(_ request: borrowing Request, _ record: inout RequestRecord) throws(WireError) -> Response {
        let fields = try tokenFields(of: request)
        guard try fields.nonEmptyText("grantType") == Self.jwtBearer else {
            return refused("unsupported_grant_type", "Only JWT bearer assertions are taken.", &record)
        }
        guard let assertion = try fields.nonEmptyText("assertion") else {
            return refused("invalid_request", "The assertion is missing.", &record)
        }
        do {
            let granted = try authenticator.grantAdminAccess(
                assertion: assertion,
                audiences: [Authenticator.googleTokenAudience] + adminInterface.tokenAudiences,
                projects: projects.all
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
            return refused("invalid_grant", error.explanation, &record)
        }
    }

    private func refused(_ code: String, _ explanation: String, _ record: inout RequestRecord) -> Response {
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
