internal import Foundation

#if canImport(Darwin)
    internal import Security
#endif

/// What the system reports about how the running app is signed.
enum AppSigning: Sendable {
    /// The app's entitlement for remote notifications, as macOS reports it; nil if it has none.
    case entitlement(String?)
    /// The provisioning profile in the app, as in development and ad hoc builds for iOS. It lists what the app may
    /// claim; the system does not report what the app's signature claims.
    case profile(Data)
    /// The app contains no profile, as in App Store and TestFlight builds.
    case noProfile
    case simulator
    /// The system has no remote notifications that this library can use.
    case withoutPushes

    /// What is known about the app's entitlement for remote notifications.
    enum PushEntitlement: Sendable, Equatable {
        /// The app has the entitlement, for this environment of APNs.
        case present(PushEnvironment)
        /// The profile allows the entitlement.
        case allowed(PushEnvironment)
        case missing
        /// Nothing shows whether the app has the entitlement; if so, it is for this environment.
        case assumed(PushEnvironment)
        /// The system does not report the entitlement.
        case unknown
        /// The system has no remote notifications.
        case notApplicable

        /// The environment, if it is known.
        var environment: PushEnvironment? {
            switch self {
            case .present(let environment), .allowed(let environment), .assumed(let environment): environment
            case .missing, .unknown, .notApplicable: nil
            }
        }
    }

    /// The entitlement for remote notifications.
    var pushEntitlement: PushEntitlement {
        switch self {
        case .entitlement(let value): Self.entitlement(value) { .present($0) }
        case .profile(let data):
            ProvisioningProfile(data).map { profile in
                Self.entitlement(profile.pushEntitlement) { .allowed($0) }
            } ?? .unknown
        case .noProfile: .assumed(.production)
        case .simulator: .present(.development)
        case .withoutPushes: .notApplicable
        }
    }

    private static func entitlement(
        _ value: String?,
        _ kind: (PushEnvironment) -> PushEntitlement
    ) -> PushEntitlement {
        guard let value else { return .missing }
        return PushEnvironment(rawValue: value).map(kind) ?? .unknown
    }
}

#if canImport(Darwin)
    extension AppSigning {
        /// How this app is signed.
        static var ofThisApp: AppSigning {
            #if targetEnvironment(simulator)
                .simulator
            #elseif canImport(UIKit) && !os(watchOS)
                // Mac Catalyst first, then the others.
                ["Contents/embedded.provisionprofile", "embedded.mobileprovision"]
                    .lazy.compactMap { FileManager.default.contents(atPath: "\(Bundle.main.bundlePath)/\($0)") }
                    .first.map { .profile($0) } ?? .noProfile
            #elseif canImport(AppKit)
                .entitlement(
                    SecTaskCreateFromSelf(nil).flatMap { task in
                        SecTaskCopyValueForEntitlement(task, "com.apple.developer.aps-environment" as CFString, nil)
                    } as? String
                )
            #else
                .withoutPushes
            #endif
        }

        /// The background modes of this app; nil if the system has none.
        static var backgroundModesOfThisApp: [String]? {
            #if canImport(UIKit) && !os(watchOS)
                Bundle.main.object(forInfoDictionaryKey: "UIBackgroundModes") as? [String] ?? []
            #else
                nil
            #endif
        }
    }
#else
    extension AppSigning {
        /// How this app is signed.
        static var ofThisApp: AppSigning { .withoutPushes }
        /// The background modes of this app.
        static var backgroundModesOfThisApp: [String]? { nil }
    }
#endif

/// An APNs environment, as entitlements name it.
enum PushEnvironment: String, Sendable {
    case development, production

    /// The environment of a device token; nil if the server has to determine it.
    init?(_ type: AuthAPNSTokenType) {
        switch type {
        case .unknown: return nil
        case .sandbox: self = .development
        case .prod: self = .production
        }
    }
}

/// A provisioning profile: a property list in a signed message (CMS). The system has verified the signature.
struct ProvisioningProfile {
    /// The largest size, in bytes. Profiles with many devices have some hundred thousand bytes.
    private static let mostBytes = 1 << 22
    /// The keys on iOS, and on macOS and Mac Catalyst.
    private static let keys = ["aps-environment", "com.apple.developer.aps-environment"]

    /// The environment for remote notifications that the profile allows; nil if it allows none.
    let pushEntitlement: String?

    /// Reads a profile; returns nil if it is malformed.
    init?(_ data: Data) {
        guard data.count <= Self.mostBytes, let begin = data.range(of: Data("<?xml".utf8)),
            let end = data.range(of: Data("</plist>".utf8), in: begin.lowerBound..<data.endIndex),
            let list = try? PropertyListSerialization.propertyList(
                from: data[begin.lowerBound..<end.upperBound],
                format: nil
            ) as? [String: Any],
            let entitlements = list["Entitlements"] as? [String: Any]
        else { return nil }
        pushEntitlement = Self.keys.lazy.compactMap { entitlements[$0] as? String }.first
    }
}
