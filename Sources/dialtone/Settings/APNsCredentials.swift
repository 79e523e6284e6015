import Delivery
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
