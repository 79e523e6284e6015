import ChallengePages
import OutgoingHTTP
import PhoneAuth

extension Settings {
    /// Whether the settings require workers to call challenge providers, Google's server for Play Integrity, or
    /// blocking hooks.
    var callsOtherServers: Bool {
        !challengeProviders.isEmpty || playIntegrity.contains(where: \.asksGoogle)
            || projects.contains { $0.blockingHooks != .none }
    }

    /// Loads libcurl, so that a missing library is reported at start.
    /// - Throws: ``Failure`` that names the library and its package.
    func requireHTTPLibrary() throws(Failure) {
        guard HTTPLibrary.isLoaded else { throw Failure("libcurl.so.4 cannot be loaded: install the package libcurl4") }
    }
}
