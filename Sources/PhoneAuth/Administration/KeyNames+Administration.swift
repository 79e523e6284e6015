internal import RedisScripts

extension KeyNames {
    /// Hash: SHA-256 of an admin token's secret → the token's rights.
    static let adminTokens = "dt:{/}:admin-tokens"
}
