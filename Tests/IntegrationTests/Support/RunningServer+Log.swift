import PhoneAuth
import TestServers

extension RunningServer {
    /// The keys in Redis that only verification sessions and messages leave, one a line.
    var keysOfSends: String { redis.cli("--scan", "--pattern", "dt:{*}:se[sn]*") }

    /// Returns the secrets that are in a log.
    ///
    /// The six digits of a code may by chance be part of a request id, a time or a duration, so these are not searched
    /// for codes.
    func loggedSecrets(of secrets: [String]) -> [String] {
        let log = log
        let words = log.replacing(/[0-9a-f]{32}|[0-9]{7,}|"durationMicroseconds":[0-9]+/, with: "")
        return secrets.filter { secret in
            (secret.utf8.count > VerificationCode.digitCount ? log : words).contains(secret)
        }
    }
}
