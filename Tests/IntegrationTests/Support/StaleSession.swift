import TestServers
import Testing

extension RunningServer {
    /// Returns a valid ID token of a session whose user signed in long ago. All sessions of the server become that old.
    func staleIDToken(_ refreshToken: String) throws -> String {
        for key in sessionKeys { redis.cli("HSET", key, "signed-in", "1700000000000") }
        return try #require(try refresh(refreshToken)["id_token"])
    }

    /// The number of stored sessions.
    var sessionCount: Int { sessionKeys.count }

    private var sessionKeys: [String] {
        redis.cli("--scan", "--pattern", "dt:{u*}:session:*").split(separator: "\n").map(String.init)
    }

    /// Returns the account as an administrator sees it.
    func account(_ uid: String) throws -> String {
        try administer("lookup", #"{"localId":["\#(uid)"]}"#).text
    }
}
