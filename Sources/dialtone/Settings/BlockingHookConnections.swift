import FastCGI
import HookCalls
import OutgoingHTTP

extension Settings {
    /// Returns the client for blocking hooks.
    /// - Throws: ``Failure`` that names the setting or the file.
    func blockingHookClient() throws(Failure) -> BlockingHookClient {
        var trustRoots = TrustRoots.system
        if let file = blockingHookTrustFile {
            trustRoots = .certificates(pem: String(decoding: try readFile(file), as: UTF8.self))
        }
        do {
            return try BlockingHookClient(
                trusting: trustRoots,
                maximumConnectionsPerHost: server.threads,
                proxy: outgoingProxy
            )
        } catch {
            let name = DeploymentValues.name(of: \.blockingHookTrustFile)
            throw Failure("\(name): \(blockingHookTrustFile ?? "") is not a PEM file of certificates")
        }
    }
}
