#if canImport(Darwin)
    internal import Foundation
    internal import Security

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
    }
#endif
