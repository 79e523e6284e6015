internal import Foundation

/// The result of one check of ``Auth/diagnose()``.
public struct AuthDiagnosis: Sendable, Equatable, CustomStringConvertible {
    /// What is checked.
    public enum Check: String, Sendable, CaseIterable {
        /// The options of the app.
        case configuration
        /// Whether the server responds.
        case server
        /// Whether the server knows the API key.
        case apiKey
        /// The device's clock.
        case clock
        /// Whether a connection with a wrong pin is rejected, and the pins include a backup. Only if keys are pinned.
        case pins
        /// Whether the session can be read.
        case store
        /// The app's entitlement for silent pushes. Only for registered apps, like the next three checks.
        case entitlement
        /// The background mode in which the system delivers silent pushes. Not on macOS.
        case backgroundMode
        /// The APNs device token.
        case deviceToken
        /// Whether the device token and the app belong to the same APNs environment.
        case pushEnvironment
        /// How the app is verified.
        case appVerification
        /// The user's session.
        case session
    }

    /// What was checked.
    public let check: Check
    /// Whether the check passed.
    public let isFine: Bool
    /// What was found, and what to do. Contains no secrets.
    public let detail: String

    init(_ check: Check, isFine: Bool = true, _ detail: String) {
        self.check = check
        self.isFine = isFine
        self.detail = detail
    }

    /// One line for a log.
    public var description: String { "\(isFine ? "ok" : "FAILED") \(check.rawValue): \(detail)" }
}

extension AuthDiagnosis {
    /// Creates the diagnosis of pins.
    ///
    /// - Parameters:
    ///   - pins: the pins.
    ///   - backupCount: the number of pins that the server's current certificate chain does not contain; nil if it is
    ///     unknown.
    ///   - isEnforced: false if a connection with a wrong pin was accepted.
    init(of pins: PublicKeyPins, backupCount: Int?, isEnforced: Bool) {
        guard isEnforced else {
            self.init(.pins, isFine: false, "A connection with a wrong pin was accepted, so nothing is pinned.")
            return
        }
        let fault: String? =
            if pins.count == 1 {
                "One public key is pinned, without a backup."
            } else if backupCount == 0 {
                "All pins match the server's current certificates, so there is no backup."
            } else {
                nil
            }
        guard let fault else {
            self.init(.pins, "\(pins.count) public keys are pinned.")
            return
        }
        self.init(
            .pins,
            isFine: false,
            fault + " If the server's key is lost, the app can sign no one in until it is updated. Also pin the public "
                + "key of a private key that is kept offline."
        )
    }
}

extension Auth {
    /// Checks what sign-in needs: configuration, server, API key, clock, pins, store, entitlement, background mode,
    /// device token and its environment, app verification, and session. Sends no message and changes nothing.
    ///
    /// ```swift
    /// for diagnosis in await Auth.auth().diagnose() { print(diagnosis) }
    /// ```
    public func diagnose() async -> [AuthDiagnosis] {
        guard let api = try? api() else {
            return [AuthDiagnosis(.configuration, isFine: false, fault ?? "No server is configured.")]
        }
        // The server first: its certificates show which pins are in use.
        let server = await serverDiagnoses(api)
        var diagnoses = [configurationDiagnosis(api)] + server
        if let pins = api.transport.pins {
            // Without a response, nothing is known.
            let isEnforced = server.count > 1 ? await isWrongPinRejected(api.server) : true
            let backupCount = api.transport.backupPinCount
            diagnoses.append(AuthDiagnosis(of: pins, backupCount: backupCount, isEnforced: isEnforced))
        }
        diagnoses.append(storeDiagnosis)
        diagnoses += pushDiagnoses
        return diagnoses + [appVerificationDiagnosis, sessionDiagnosis]
    }

    /// Sends a request with a pin that matches no key. Returns whether there was no response.
    func isWrongPinRejected(_ server: ServerURL) async -> Bool {
        let pins = PublicKeyPins([String(repeating: "0", count: 64)])
        do {
            _ = try await client(of: server, pins: pins).get("/v1/projects", as: ProjectResponse.self)
            return false
        } catch {
            return AuthErrorCode(error) == .networkError
        }
    }

    private func configurationDiagnosis(_ api: APIClient) -> AuthDiagnosis {
        if tenantID != nil {
            return AuthDiagnosis(
                .configuration,
                isFine: false,
                "Dialtone has no tenants, so each sign-in fails. Set Auth.tenantID to nil."
            )
        }
        if shareAuthStateAcrossDevices {
            return AuthDiagnosis(
                .configuration,
                isFine: false,
                "shareAuthStateAcrossDevices has no effect: sessions never leave the device."
            )
        }
        let isEmulator = state.withLock { $0.place.key == StoredSession.emulatorKey }
        return AuthDiagnosis(.configuration, api.server.text + (isEmulator ? ", for development only" : ""))
    }

    private func serverDiagnoses(_ api: APIClient) async -> [AuthDiagnosis] {
        let responds = AuthDiagnosis(.server, "The server responds.")
        do {
            _ = try await api.get("/v1/projects", as: ProjectResponse.self)
            return [responds, AuthDiagnosis(.apiKey, "The server knows the API key."), clockDiagnosis]
        } catch let error where AuthErrorCode(error) == .invalidAPIKey {
            let detail = AuthErrorCode.invalidAPIKey.error().localizedDescription
            return [responds, AuthDiagnosis(.apiKey, isFine: false, detail), clockDiagnosis]
        } catch {
            return [AuthDiagnosis(.server, isFine: false, error.localizedDescription)]
        }
    }

    private var clockDiagnosis: AuthDiagnosis {
        // 64 bits, because `Int` has 32 bits on a watch.
        let seconds = Int64(clock.offset.rounded())
        guard seconds != 0 else { return AuthDiagnosis(.clock, "The device's clock agrees with the server's.") }
        return AuthDiagnosis(
            .clock,
            // Certificates and tokens that others check against the device's clock may fail.
            isFine: abs(seconds) < 300,
            "The device's clock is \(abs(seconds)) seconds \(seconds > 0 ? "behind" : "ahead of") the server's. "
                + "Tokens are refreshed according to the server's clock."
        )
    }

    private var storeDiagnosis: AuthDiagnosis {
        do {
            let place = state.withLock { $0.place }
            _ = try place.store.read(place.key)
            return AuthDiagnosis(.store, "The store can be read.")
        } catch {
            return AuthDiagnosis(.store, isFine: false, error.localizedDescription)
        }
    }

    private var appVerificationDiagnosis: AuthDiagnosis {
        if settings?.isAppVerificationDisabledForTesting == true {
            return state.withLock { $0.place.key } == StoredSession.emulatorKey
                ? AuthDiagnosis(.appVerification, "An emulator needs no proof.")
                : AuthDiagnosis(
                    .appVerification,
                    isFine: false,
                    "isAppVerificationDisabledForTesting is set: only test numbers work."
                )
        }
        guard verifier.identity != nil else {
            return AuthDiagnosis(
                .appVerification,
                "Proof of work, as for a web app. For silent pushes, set bundleID and googleAppID or clientID in "
                    + "DialtoneOptions."
            )
        }
        let detail =
            if verifier.pushes.credential != nil {
                "The credential from an earlier silent push."
            } else if verifier.pushes.token != nil {
                "Silent push, if the server has the APNs key of your team (.p8), then proof of work."
            } else {
                "Proof of work, without silent push."
            }
        return AuthDiagnosis(.appVerification, detail)
    }

    private var sessionDiagnosis: AuthDiagnosis {
        guard let user = currentUser else { return AuthDiagnosis(.session, "No one is signed in.") }
        let seconds = Int64((user.tokens.expiresAt.timeIntervalSince(clock.now) - Tokens.margin).rounded(.down))
        let time = seconds > 0 ? "in \(seconds) seconds" : "before its next use"
        return AuthDiagnosis(.session, "A user is signed in. The ID token is refreshed \(time).")
    }
}
