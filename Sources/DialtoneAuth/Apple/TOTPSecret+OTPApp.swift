#if canImport(UIKit) && !os(watchOS)
    internal import Foundation
    internal import UIKit

    extension TOTPSecret {
        /// Opens the URL of a QR code in an authenticator app on this device. Does nothing if none is installed, so
        /// show the QR code, too.
        ///
        /// - Parameter url: the URL, from ``generateQRCodeURL(withAccountName:issuer:)``.
        @available(iOSApplicationExtension, unavailable)
        @available(tvOSApplicationExtension, unavailable)
        @available(visionOSApplicationExtension, unavailable)
        @MainActor public func openInOTPApp(withQRCodeURL url: String) {
            guard let url = Self.authenticatorURL(url) else { return }
            UIApplication.shared.open(url, options: [:], completionHandler: nil)
        }
    }
#elseif canImport(AppKit)
    internal import AppKit
    internal import Foundation

    extension TOTPSecret {
        /// Opens the URL of a QR code in an authenticator app on this device. Does nothing if none is installed, so
        /// show the QR code, too.
        ///
        /// - Parameter url: the URL, from ``generateQRCodeURL(withAccountName:issuer:)``.
        @MainActor public func openInOTPApp(withQRCodeURL url: String) {
            guard let url = Self.authenticatorURL(url) else { return }
            _ = NSWorkspace.shared.open(url)
        }
    }
#endif
