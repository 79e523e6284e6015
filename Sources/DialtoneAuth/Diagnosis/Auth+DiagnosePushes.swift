/// The diagnosis of silent pushes.
extension Auth {
    /// The checks of a registered app; empty for an app that is verified as a web app.
    var pushDiagnoses: [AuthDiagnosis] {
        guard verifier.identity != nil else { return [] }
        let entitlement = environment.signing().pushEntitlement
        guard entitlement != .notApplicable else {
            return [AuthDiagnosis(.entitlement, "This system has no silent pushes. The app is verified without them.")]
        }
        let token = verifier.pushes.token
        return [
            Self.diagnosis(of: entitlement), environment.backgroundModes().map(Self.diagnosis(ofBackgroundModes:)),
            Self.diagnosis(of: token, verifier.registration.progress),
            Self.diagnosis(of: token?.type, entitlement.environment),
        ].compactMap { $0 }
    }

    private static func diagnosis(of entitlement: AppSigning.PushEntitlement) -> AuthDiagnosis {
        switch entitlement {
        case .present(let environment):
            AuthDiagnosis(.entitlement, "The app may receive pushes from APNs' \(environment.rawValue) environment.")
        case .allowed(let environment):
            AuthDiagnosis(
                .entitlement,
                "The provisioning profile allows pushes from APNs' \(environment.rawValue) environment."
            )
        case .assumed(let environment):
            AuthDiagnosis(
                .entitlement,
                "A build without a provisioning profile uses APNs' \(environment.rawValue) environment. The system does "
                    + "not report whether the app may receive pushes."
            )
        case .missing:
            AuthDiagnosis(
                .entitlement,
                isFine: false,
                "The app has no aps-environment entitlement, so it receives no pushes. Add the Push Notifications "
                    + "capability to its target."
            )
        case .unknown, .notApplicable: AuthDiagnosis(.entitlement, "The system does not report the app's entitlements.")
        }
    }

    private static func diagnosis(ofBackgroundModes modes: [String]) -> AuthDiagnosis {
        modes.contains("remote-notification")
            ? AuthDiagnosis(.backgroundMode, "The system delivers silent pushes to the app.")
            : AuthDiagnosis(
                .backgroundMode,
                isFine: false,
                "UIBackgroundModes in Info.plist lacks remote-notification, so silent pushes may not reach the app. Add "
                    + "the Background Modes capability to its target, with Remote notifications."
            )
    }

    private static func diagnosis(
        of token: PushInbox.DeviceToken?,
        _ progress: PushRegistration.Progress
    ) -> AuthDiagnosis {
        guard token == nil else { return AuthDiagnosis(.deviceToken, "The system returned a device token.") }
        switch progress {
        case .ready:
            return AuthDiagnosis(.deviceToken, "The system is asked for a device token when the app is verified.")
        case .unconnected:
            return AuthDiagnosis(
                .deviceToken,
                isFine: false,
                "Nothing asks the system for a device token. Put dialtoneAuth() on the outermost view, call "
                    + "activate(), or pass the token to setAPNSToken(_:type:)."
            )
        case .silent:
            return AuthDiagnosis(
                .deviceToken,
                isFine: false,
                "The system was asked for a device token and has not answered. Check that the app delegate forwards "
                    + "it, as DialtoneAppDelegate does, and that the device reaches APNs."
            )
        case .refused(let reason):
            return AuthDiagnosis(.deviceToken, isFine: false, "The system returned no device token: \(reason)")
        }
    }

    private static func diagnosis(
        of type: AuthAPNSTokenType?,
        _ environment: PushEnvironment?
    ) -> AuthDiagnosis {
        guard let claimed = type.flatMap(PushEnvironment.init), let environment, claimed != environment else {
            return AuthDiagnosis(
                .pushEnvironment,
                environment.map { "The app is signed for APNs' \($0.rawValue) environment." }
                    ?? "The server determines the APNs environment of a device token."
            )
        }
        return AuthDiagnosis(
            .pushEnvironment,
            isFine: false,
            "The device token was passed as one for APNs' \(claimed.rawValue) environment, but the app is signed for "
                + "\(environment.rawValue). Pass the type .unknown: the server determines the environment."
        )
    }
}
