import Delivery
import PhoneAuth
import RedisScripts

/// Checks of each app's credential with Apple's push service (APNs), and counts of its pushes.
struct PushChecks {
    let settings: Settings
    let keys: ServerKeys
    /// The device of an operator; nil to push to a device that does not exist.
    let device: DeviceToken?
    /// The only app to check; nil for all.
    let app: String?

    /// Returns the findings about all apps with a credential that can be read.
    func findings() throws(Failure) -> [Finding] {
        let chosen = settings.apnsCredentials.filter { app == nil || app == $0.app.name }
        guard app == nil || !chosen.isEmpty else {
            throw Failure("\"\(app ?? "")\": no such app with an APNs credential")
        }
        let client = try settings.apnsClient()
        defer { waitFor { await client.shutDown() } }
        return chosen.flatMap { project, app, setting in
            guard let credential = try? settings.loadCredential(setting) else { return [Finding]() }
            let diagnosis = waitFor { [device] in
                await client.diagnose(credential, topic: app.bundleID, deviceToken: device)
            }
            let name = "\(app.name) (\(app.bundleID))"
            let result =
                diagnosis.isHealthy
                ? Finding.fine(name, diagnosis.line)
                : Finding(
                    .critical,
                    name,
                    diagnosis.line,
                    remedy: "correct the app's APNS settings; apps open the challenge page until then"
                )
            return [result] + counts(of: app, in: project).map { .fine(name, $0) }
        }
    }

    /// Returns one line for each environment that had pushes in the last seven days; none if Redis does not respond,
    /// which is a finding of its own.
    private func counts(of app: RegisteredApp, in project: Project) -> [String] {
        let counts =
            (try? settings.authenticator(keys).operation(in: project).pushCounts(days: 7)
                .filter { $0.bundleID == app.bundleID.text }) ?? []
        return PushEnvironment.allCases.compactMap { environment in
            func count(_ event: PushEvent) -> Int64 {
                counts.first { $0.environment == environment && $0.event == event }?.count ?? 0
            }
            let (sent, returned, failed) = (count(.sent), count(.returned), count(.failed))
            guard sent + returned + failed > 0 else { return nil }
            let share = sent > 0 ? " (\(returned * 100 / sent) %)" : ""
            return
                "\(environment.rawValue), last 7 days: \(sent) pushes sent, \(returned) receipts returned\(share), "
                + "\(failed) not delivered"
        }
    }
}
