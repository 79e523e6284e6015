import TestServers
import Testing

extension RunningServer {
    /// An ID token of a session whose user signed in long ago, and which is valid otherwise. All sessions of the server
    /// become that old.
    func staleIDToken(_ refreshToken: String) throws -> String {
        for key in sessionKeys { redis.cli("HSET", key, "signed-in", "1700000000000") }
        return try #require(try refresh(refreshToken)["id_token"])
    }

    /// How many sessions the server keeps.
    var sessionCount: Int { sessionKeys.count }

    private var sessionKeys: [String] {
        redis.cli("--scan", "--pattern", "dt:{u*}:refresh:*").split(separator: "\n").map(String.init)
    }

    /// The account as an administrator sees it.
    func account(_ uid: String) throws -> String {
        try administer("lookup", #"{"localId":["\#(uid)"]}"#).text
    }
}
