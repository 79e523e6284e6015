import FastCGI
import HookCalls
import OutgoingHTTP

extension Settings {
    /// Returns the client for blocking hooks.
    /// - Throws: ``Failure`` that names the setting and the file.
    func blockingHookClient() throws(Failure) -> BlockingHookClient {
        let trust = TrustFile(\.blockingHookTrustFile, blockingHookTrustFile)
        let trustRoots = try trust.read()
        do {
            return try BlockingHookClient(
                trusting: trustRoots,
                maximumConnectionsPerHost: server.threads,
                proxy: outgoingProxy
            )
        } catch {
            throw trust.isNotPEM
        }
    }
}
