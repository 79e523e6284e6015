import ChallengePages
import OutgoingHTTP
import PhoneAuth
import PlayIntegrity

extension Settings {
    /// Returns how workers verify that requests come from the operator's own apps. Reads the Play Integrity files.
    /// - Throws: ``Failure`` with a line for each unusable file, which names the file and says what is wrong with it.
    func appVerification() throws(Failure) -> AppVerification {
        guard mode == .production else { return .trustEveryone }
        let challengeProviders = challengeProviders
        let apps = try playIntegrityApps()
        return .required(
            askProvider: AppVerification.ProviderCheck(
                mayBeValid: { challengeProviders.mayBeValid($0, in: $1) },
                verdict: { challengeProviders.verdict(on: $0, clientAddress: $1, in: $2) }
            ),
            verifyIntegrity: AppVerification.IntegrityCheck(
                mayBeValid: { apps.mayBeValid($0, of: $1, in: $2) },
                refusal: { apps.refusal(of: $0, in: $1) }
            )
        )
    }

    /// Returns the Android apps that prove themselves with Play Integrity.
    private func playIntegrityApps() throws(Failure) -> PlayIntegrityApps {
        var configuration = HTTPClientConfiguration()
        configuration.proxy = outgoingProxy
        configuration.connectDeadline = GoogleDecoder.deadline
        let client = BoundedHTTPClient(configuration)
        var apps: [PlayIntegrityApp] = []
        var failures = Failures()
        for setting in playIntegrity {
            guard let decoding = failures.collect(try decoding(setting.decoding, client)) else { continue }
            apps.append(
                PlayIntegrityApp(
                    projectID: setting.projectID,
                    packageName: setting.packageName,
                    requirements: setting.requirements,
                    decoding: decoding
                )
            )
        }
        guard failures.isEmpty else { throw failures.failure }
        return PlayIntegrityApps(apps, waitingOn: providerThreads)
    }

    private func decoding(
        _ setting: PlayIntegritySetting.Decoding,
        _ client: BoundedHTTPClient
    ) throws(Failure) -> PlayIntegrityApp.Decoding {
        switch setting {
        case .keys(let file):
            let content = try readFile(file)
            do {
                return .here(try ResponseKeys(file: content))
            } catch {
                switch error {
                case .decryptionKey: throw Failure("\(file): no line DECRYPTION_KEY= with 32 bytes in Base64")
                case .verificationKey:
                    throw Failure("\(file): no line VERIFICATION_KEY= with a P-256 public key (DER) in Base64")
                }
            }
        case .serviceAccount(let file, let server):
            guard let account = GoogleServiceAccount(file: try readFile(file)) else {
                throw Failure("\(file): not JSON with client_email, an RSA private_key and token_uri, an https URL")
            }
            return .byGoogle(GoogleDecoder(account: account, url: server, client: client))
        }
    }
}
