import Cryptography
import Encodings
import PhoneAuth
import RedisScripts

/// Checks of files beyond those of `dialtone config check`: who may read them, when certificates expire, and the
/// credentials that only dispatchers have.
enum FileChecks {
    /// How long before a certificate expires a finding says so. Let's Encrypt renews 30 days before.
    static let noticeBeforeExpiry: Duration = .seconds(20 * 86_400)

    /// Returns findings about the settings file and about all files that settings name.
    static func findings(_ source: SettingsSource, at now: Instant) -> [Finding] {
        source.files.flatMap { file in
            guard let content = try? readFile(file.path) else { return [Finding]() }
            let chain = CertificateChain(pem: String(decoding: content, as: UTF8.self))
            return (file.isSecret ? [access(to: file)] : [])
                + (chain.map { [expiry(of: $0, file.path, at: now)] } ?? [])
        }
    }

    private static func access(to file: NamedFile) -> Finding {
        .check(
            file.path,
            "private",
            wrong: UnitAccess.isOpen(file)
                ? (.critical, "every user of this machine can read its secrets", "chmod o= \(file.path)") : nil
        )
    }

    /// Returns the finding about the days until a certificate expires.
    static func expiry(of chain: CertificateChain, _ path: String, at now: Instant) -> Finding {
        let left = chain.expiresAt - now
        guard left > .zero else {
            let text = "the certificate expired on \(chain.expiresAt.utc): it is not trusted"
            return Finding(.critical, path, text, remedy: "renew it")
        }
        let days = left / .seconds(86_400)
        let text = "the certificate expires in \(Int(days)) days"
        guard left < noticeBeforeExpiry else { return .fine(path, text) }
        return Finding(.advice, path, text, remedy: "renew it; if that is automatic, find out why it has not happened")
    }

    /// Returns findings about the APNs credentials, which only dispatchers read.
    static func credentialFindings(_ settings: Settings) -> [Finding] {
        settings.apnsCredentials.compactMap { _, app, setting in
            do throws(Failure) {
                _ = try settings.loadCredential(setting)
                return nil
            } catch {
                return Finding(
                    .critical,
                    "APNs credential of \(app.name)",
                    "\(error): a dispatcher does not start",
                    remedy: "download it again from Apple, or correct the setting"
                )
            }
        }
    }
}
