internal import Foundation

/// The result of one check of ``Auth/diagnose()``.
public struct AuthDiagnosis: Sendable, Equatable, CustomStringConvertible {
    /// What is checked.
    public enum Check: String, Sendable, CaseIterable {
        case configuration, server, apiKey, clock, store, appVerification, session
    }

    /// What was checked.
    public let check: Check
    /// Whether it is as it must be.
    public let isFine: Bool
    /// What was found, and what to do. It has no secrets.
    public let detail: String

    /// One line for a log.
    public var description: String { "\(isFine ? "ok" : "FAILED") \(check.rawValue): \(detail)" }
}

extension Auth {
    /// Checks what sign-in needs: configuration, server, API key, clock, store, app verification and session. It sends
    /// no message and changes nothing.
    ///
    /// ```swift
    /// for diagnosis in await Auth.auth().diagnose() { print(diagnosis) }
    /// ```
    public func diagnose() async -> [AuthDiagnosis] {
        guard let api = try? api() else {
            return [AuthDiagnosis(check: .configuration, isFine: false, detail: fault ?? "No server is configured.")]
        }
        let configuration = AuthDiagnosis(check: .configuration, isFine: true, detail: api.server.text)
        return [configuration] + (await serverDiagnoses(api)) + [
            storeDiagnosis, appVerificationDiagnosis, await sessionDiagnosis(),
        ]
    }

    private func serverDiagnoses(_ api: APIClient) async -> [AuthDiagnosis] {
        do {
            _ = try await api.get("/v1/projects", as: ProjectResponse.self)
            return [
                AuthDiagnosis(check: .server, isFine: true, detail: "The server responds."),
                AuthDiagnosis(check: .apiKey, isFine: true, detail: "The server knows the API key."),
                clockDiagnosis,
            ]
        } catch let error where AuthErrorCode(error) == .invalidAPIKey {
            let detail = AuthErrorCode.invalidAPIKey.error().localizedDescription
            return [
                AuthDiagnosis(check: .server, isFine: true, detail: "The server responds."),
                AuthDiagnosis(check: .apiKey, isFine: false, detail: detail),
                clockDiagnosis,
            ]
        } catch {
            return [AuthDiagnosis(check: .server, isFine: false, detail: error.localizedDescription)]
        }
    }

    private var clockDiagnosis: AuthDiagnosis {
        // 64 bits, because an `Int` of a watch has 32.
        let seconds = Int64(clock.offset.rounded())
        let detail =
            seconds == 0
            ? "The device's clock agrees with the server's."
            : "The device's clock is \(abs(seconds)) seconds \(seconds > 0 ? "behind" : "ahead of") the server's. Tokens "
                + "are refreshed by the server's clock."
        // A certificate or a token that is checked elsewhere by the device's clock may fail.
        return AuthDiagnosis(check: .clock, isFine: abs(seconds) < 300, detail: detail)
    }

    private var storeDiagnosis: AuthDiagnosis {
        do {
            let place = state.withLock { $0.place }
            _ = try place.store.read(place.key)
            return AuthDiagnosis(check: .store, isFine: true, detail: "The store can be read.")
        } catch {
            return AuthDiagnosis(check: .store, isFine: false, detail: error.localizedDescription)
        }
    }

    private var appVerificationDiagnosis: AuthDiagnosis {
        if settings?.isAppVerificationDisabledForTesting == true {
            return AuthDiagnosis(
                check: .appVerification,
                isFine: false,
                detail: "isAppVerificationDisabledForTesting is set: only test numbers work."
            )
        }
        guard verifier.identity != nil else {
            return AuthDiagnosis(
                check: .appVerification,
                isFine: true,
                detail: "Proof of work, as a web app. For silent pushes set bundleID and googleAppID or clientID in "
                    + "DialtoneOptions."
            )
        }
        let detail =
            verifier.pushes.credential != nil
            ? "The credential of an earlier silent push."
            : verifier.pushes.token != nil
                ? "Silent push, then proof of work."
                : "Proof of work. For silent pushes call setAPNSToken(_:type:)."
        return AuthDiagnosis(check: .appVerification, isFine: true, detail: detail)
    }

    private func sessionDiagnosis() async -> AuthDiagnosis {
        guard let user = currentUser else {
            return AuthDiagnosis(check: .session, isFine: true, detail: "Nobody is signed in.")
        }
        let seconds = Int64(user.tokens.expiresAt.timeIntervalSince(clock.now))
        return AuthDiagnosis(
            check: .session,
            isFine: true,
            detail: "A user is signed in. The ID token is refreshed "
                + "\(seconds > Int64(Tokens.margin) ? "in \(seconds - Int64(Tokens.margin)) seconds" : "before its next use")."
        )
    }
}
