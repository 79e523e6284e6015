internal import DialtoneTexts
public import Encodings

/// A CAPTCHA provider, whose widget is on the page in place of the proof of work.
public struct ChallengeProvider: Sendable {
    /// The provider and its widget.
    public let kind: Kind
    /// The site key, which is public.
    public let siteKey: String
    /// The secret of the site key.
    public let secret: ProviderSecret
    /// The URL at which tokens are verified; the provider's own unless another is configured.
    public let verificationURL: ServiceURL

    /// A provider and its widget.
    public enum Kind: String, Sendable, CaseIterable {
        case recaptchaCheckbox = "recaptcha-checkbox"
        case recaptchaInvisible = "recaptcha-invisible"
        case hCaptcha = "hcaptcha"
        case turnstile

        var isRecaptcha: Bool { self == .recaptchaCheckbox || self == .recaptchaInvisible }
    }

    /// Creates a provider.
    ///
    /// - Parameters:
    ///   - kind: the provider and its widget.
    ///   - siteKey: letters, digits, `-`, `_` and `.`.
    ///   - secret: not empty.
    ///   - verificationURL: an `https` URL, or an `http` URL with a loopback address; nil for the provider's own.
    /// - Throws: ``ChallengeProviderError`` that names the first invalid part.
    public init(
        kind: Kind,
        siteKey: String,
        secret: ProviderSecret,
        verificationURL: String? = nil
    ) throws(ChallengeProviderError) {
        guard Self.isSiteKey(siteKey) else { throw .siteKey }
        guard !secret.text.isEmpty else { throw .secret }
        guard let url = try? ServiceURL(verificationURL ?? kind.verificationURL, allowsPlainLoopback: true) else {
            throw .verificationURL
        }
        self.kind = kind
        self.siteKey = siteKey
        self.secret = secret
        self.verificationURL = url
    }

    private static func isSiteKey(_ text: String) -> Bool {
        (1...155).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-_.".utf8.contains($0) }
    }

    func write(to json: inout JSONWriter, _ language: Language) {
        json.member("name", kind.interfaceName)
        json.member("script", kind.script(language))
        json.member("siteKey", siteKey)
        json.member("isInvisible", kind == .recaptchaInvisible)
    }
}
