import ChallengePages
import Delivery
import FastCGI
import HookCalls
import OutgoingHTTP
import PhoneAuth

extension Settings {
    /// Returns a client for Apple's push service, which opens its connections on demand.
    /// - Throws: ``Failure`` that names the setting and the file.
    func apnsClient() throws(Failure) -> APNsClient {
        var configuration = apns
        configuration.proxy = outgoingProxy
        let trust = TrustFile(\.apnsTrustFile, apnsTrustFile)
        configuration.trustRoots = try trust.read()
        do {
            return try APNsClient(configuration)
        } catch {
            throw trust.isNotPEM
        }
    }

    /// Reads the credential of an app.
    /// - Throws: ``Failure`` that names the file and says what is wrong with it.
    func loadCredential(_ setting: APNsCredentialSetting) throws(Failure) -> APNsCredential {
        switch setting {
        case .tokenKey(let file, let keyID, let teamID):
            let key = String(decoding: try readFile(file), as: UTF8.self)
            do {
                return try .providerToken(keyID: keyID, teamID: teamID, privateKey: key)
            } catch {
                throw Failure("\(file): \(error)")
            }
        case .certificate(let file):
            let text = String(decoding: try readFile(file), as: UTF8.self)
            do {
                return try .clientCertificate(chain: text, privateKey: text)
            } catch {
                throw Failure("\(file): \(error)")
            }
        }
    }
}

/// The setting of an app's APNs credential. Only the dispatcher reads its files.
enum APNsCredentialSetting: Equatable {
    /// A token signing key (`.p8`), which serves all apps of a team.
    case tokenKey(file: String, keyID: String, teamID: String)
    /// A TLS client certificate with its key in PEM, which serves one app.
    case certificate(file: String)
}

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

extension Settings {
    /// Whether the settings require workers to call challenge providers, Google's servers, or blocking hooks.
    var callsOtherServers: Bool {
        !challengeProviders.isEmpty || playIntegrity.contains(where: \.asksGoogle)
            || !firebaseProjects.isEmpty || projects.contains { $0.blockingHooks != .none }
    }

    /// Loads libcurl, so that a missing library is reported at start.
    /// - Throws: ``Failure`` that names the library and its package.
    func requireHTTPLibrary() throws(Failure) {
        guard HTTPLibrary.isLoaded else { throw Failure("libcurl.so.4 cannot be loaded: install the package libcurl4") }
    }
}

/// A setting that names a PEM file of certificates to trust instead of the system's certificate authorities.
struct TrustFile {
    let setting: String
    let path: String?

    init(_ setting: PartialKeyPath<DeploymentValues>, _ path: String?) {
        self.setting = DeploymentValues.name(of: setting)
        self.path = path
    }

    /// Reads the file.
    /// - Throws: ``Failure`` that names the setting and the file.
    func read() throws(Failure) -> TrustRoots {
        guard let path else { return .system }
        do {
            return .certificates(pem: String(decoding: try readFile(path), as: UTF8.self))
        } catch {
            throw Failure("\(setting): \(error)")
        }
    }

    /// The failure if the file contains no certificates.
    var isNotPEM: Failure { Failure("\(setting): \((path ?? "").debugDescription) is not a PEM file of certificates") }
}
