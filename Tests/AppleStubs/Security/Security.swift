// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation
public import FoundationNetworking

// What DialtoneRedirect.swift uses of Apple's Security framework, so that it can be compiled on Linux. Nothing calls it
// there.

public final class SecTrust {}
public final class SecCertificate {}
public final class CFError {}

public func SecTrustEvaluateWithError(_: SecTrust, _: UnsafeMutablePointer<CFError?>?) -> Bool { false }

public func SecTrustCopyCertificateChain(_: SecTrust) -> NSArray? { nil }

public func SecCertificateCopyData(_: SecCertificate) -> Data { Data() }

extension URLProtectionSpace {
    public var serverTrust: SecTrust? { nil }
}
