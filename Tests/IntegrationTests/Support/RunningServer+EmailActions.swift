import Encodings
import Testing

/// E-mails with action links, as apps use them.
extension RunningServer {
    /// Requests an e-mail. `members` are those of the request besides its type.
    func requestEmail(
        _ type: String,
        _ members: String,
        from address: String = "127.0.0.1",
        headers: [(String, String)] = []
    ) throws -> HTTPAnswer {
        let body = #"{"requestType":"\#(type)",\#(members)}"#
        return try post("/v1/accounts:sendOobCode", body, from: address, headers: headers)
    }

    /// Returns the codes of e-mails that development mode lists.
    func emailCodes() throws -> [JSONObject] {
        try objects("oobCodes", "/emulator/v1/projects/demo-dialtone/oobCodes")
    }

    /// Requests an e-mail with a link to sign in, unless the address has a recent one, and returns its code.
    func emailCode(toSignIn email: String) throws -> String {
        #expect(try requestEmail("EMAIL_SIGNIN", #""email":"\#(email)""#).status == 200)
        let codes = try emailCodes().filter { $0.text("email") == email && $0.text("requestType") == "EMAIL_SIGNIN" }
        return try #require(codes.last).text("oobCode")
    }

    func signIn(_ email: String, link code: String, _ extra: String = "") throws -> HTTPAnswer {
        try post("/v1/accounts:signInWithEmailLink", #"{"email":"\#(email)","oobCode":"\#(code)"\#(extra)}"#)
    }
}
