internal import RedisScripts

extension KeyNames {
    /// Hash: keyed hash of a test number → the number and its code, sealed.
    static func testNumbers(_ project: String) -> String { ofProject(project, "test-numbers") }

    /// Hash of the operators' changes to a project's configuration, and its version.
    static func configuration(_ project: String) -> String { ofProject(project, "configuration") }

    /// Hash: decoy of password hashes in use → 1.
    static func passwordDecoys(_ project: String) -> String { ofProject(project, "password-decoys") }

    /// Hash: region and gateway → messages that the gateway accepted and codes that were verified.
    static func gatewayCounts(_ project: String) -> String { ofProject(project, "gateway-counts") }

    /// Hash: bundle id → receipts issued before this time are revoked.
    static func revokedReceipts(_ project: String) -> String { ofProject(project, "revoked-receipts") }

    /// Hash: bundle id → until when APNs is expected to refuse its pushes.
    static func refusedPushes(_ project: String) -> String { ofProject(project, "refused-pushes") }
}
