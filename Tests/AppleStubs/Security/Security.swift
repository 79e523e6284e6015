// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation
public import FoundationNetworking

// The parts of Apple's Security framework that DialtoneRedirect.swift uses, so that it compiles on Linux, where nothing
// calls them.

public final class SecTrust {}
public final class SecCertificate {}
public final class CFError {}

public func SecTrustEvaluateWithError(_: SecTrust, _: UnsafeMutablePointer<CFError?>?) -> Bool { false }

public func SecTrustCopyCertificateChain(_: SecTrust) -> NSArray? { nil }

public func SecCertificateCopyData(_: SecCertificate) -> Data { Data() }

extension URLProtectionSpace {
    public var serverTrust: SecTrust? { nil }
}
