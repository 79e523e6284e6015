import Delivery
import OutgoingHTTP
import PhoneAuth

extension Settings {
    /// How Apple's push service is reached.
    /// - Throws: ``Failure`` that names the setting or the file.
    private func apnsConfiguration() throws(Failure) -> APNsConfiguration {
        var configuration = APNsConfiguration()
        configuration.production = try origin("apns.productionUrl", apns.productionURL, or: configuration.production)
        configuration.sandbox = try origin("apns.sandboxUrl", apns.sandboxURL, or: configuration.sandbox)
        if let file = apns.trustFile {
            configuration.trustRoots = .certificates(pem: String(decoding: try readFile(file), as: UTF8.self))
        }
        return configuration
    }

    /// A client that opens its connections when they are needed.
    /// - Throws: ``Failure`` that names the setting or the file.
    func apnsClient() throws(Failure) -> APNsClient {
        let configuration = try apnsConfiguration()
        do {
            return try APNsClient(configuration)
        } catch {
            throw Failure("\(SettingName.shown("apns.trustFile")): \(error)")
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

    private func origin(_ key: String, _ text: String?, or standard: PushOrigin) throws(Failure) -> PushOrigin {
        guard let text else { return standard }
        guard let origin = PushOrigin(text) else {
            throw Failure("\(SettingName.shown(key)): expected https://host or https://host:port")
        }
        return origin
    }
}
