import TestServers
import Testing

/// The memory of Redis that the user of an account can fill.
@Suite struct AccountSizeTests {
    @Test("the data that users can store in an account is bounded, per field and in total")
    func size() throws {
        let server = try RunningServer(workers: 1)
        let longest = String(repeating: "\u{1F600}", count: 256)
        let picture = "https://example.com/" + String(repeating: "p", count: 2048 - 20)
        let email = String(repeating: "a", count: 60) + "@example.com"
        func signUp(_ name: String) throws -> HTTPAnswer {
            try server.post(
                "/v1/accounts:signUp",
                #"{"email":"\#(email)","password":"correct horse","displayName":"\#(name)","returnSecureToken":true}"#
            )
        }
        #expect(try signUp(longest + "x").errorMessage == "INVALID_PROFILE_ATTRIBUTE : Display name too long.")
        let user = try signUp(longest)
        let idToken = try #require(user["idToken"])
        func update(_ members: String) throws -> HTTPAnswer {
            try server.post("/v1/accounts:update", #"{"idToken":"\#(idToken)",\#(members)}"#)
        }
        #expect(try update(#""photoUrl":"\#(picture)""#).status == 200)
        #expect(
            try update(#""photoUrl":"\#(picture)p""#).errorMessage == "INVALID_PROFILE_ATTRIBUTE : Photo URL too long."
        )
        #expect(
            try update(#""displayName":"\#(longest)x""#).errorMessage
                == "INVALID_PROFILE_ATTRIBUTE : Display name too long."
        )
        let key = server.redis.cli("KEYS", "dt:{u*}:user:*")
        let bytes = try #require(Int(server.redis.cli("MEMORY", "USAGE", key)))
        #expect(bytes < 16 * 1024, "\(bytes)")
    }
}
