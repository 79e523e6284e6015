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

/// The provider's secret of a site key. It is hidden when printed, interpolated or dumped.
public struct ProviderSecret: Sendable, Confidential {
    let text: String

    /// Wraps a secret.
    ///
    /// - Parameter text: the secret as the provider issued it.
    public init(_ text: String) {
        self.text = text
    }
}

/// The invalid part of a provider's configuration.
public enum ChallengeProviderError: Error, Equatable {
    case siteKey
    case secret
    case verificationURL
}

// Source: each provider's own documentation: developers.google.com/recaptcha (display, verify, faq), docs.hcaptcha.com,
// developers.cloudflare.com/turnstile.
extension ChallengeProvider.Kind {
    /// The URL at which the provider verifies tokens.
    public var verificationURL: String {
        switch self {
        case .recaptchaCheckbox, .recaptchaInvisible: "https://www.google.com/recaptcha/api/siteverify"
        case .hCaptcha: "https://api.hcaptcha.com/siteverify"
        case .turnstile: "https://challenges.cloudflare.com/turnstile/v0/siteverify"
        }
    }

    /// The name of the widget's JavaScript interface.
    var interfaceName: String {
        switch self {
        case .recaptchaCheckbox, .recaptchaInvisible: "grecaptcha"
        case .hCaptcha: "hcaptcha"
        case .turnstile: "turnstile"
        }
    }

    /// Returns the URL of the script. The script calls `widgetLoaded` and renders nothing by itself.
    func script(_ language: Language) -> String {
        let parameters = "?render=explicit&onload=widgetLoaded"
        return switch self {
        case .recaptchaCheckbox, .recaptchaInvisible:
            "https://www.google.com/recaptcha/api.js\(parameters)&hl=\(regional(language))"
        case .hCaptcha: "https://js.hcaptcha.com/1/api.js\(parameters)&hl=\(regional(language))"
        case .turnstile: "https://challenges.cloudflare.com/turnstile/v0/api.js\(parameters)"
        }
    }

    var sources: ProviderSources {
        switch self {
        case .recaptchaCheckbox, .recaptchaInvisible:
            ProviderSources(
                script: ["https://www.google.com/recaptcha/", "https://www.gstatic.com/recaptcha/"],
                frame: ["https://www.google.com/recaptcha/", "https://recaptcha.google.com/recaptcha/"]
            )
        case .hCaptcha:
            ProviderSources(script: hCaptchaHosts, style: hCaptchaHosts, frame: hCaptchaHosts, connect: hCaptchaHosts)
        case .turnstile:
            ProviderSources(script: cloudflareHosts, frame: cloudflareHosts)
        }
    }

    /// Returns the language tag: both providers name Chinese by region, and reCAPTCHA names Hebrew by its old code.
    private func regional(_ language: Language) -> String {
        switch language {
        case .traditionalChinese: "zh-TW"
        case .simplifiedChinese: "zh-CN"
        case .hebrew where self != .hCaptcha: "iw"
        default: language.tag
        }
    }
}

/// The hosts that a provider's widget loads from and connects to, as sources of a content security policy.
struct ProviderSources {
    var script: [String] = []
    var style: [String] = []
    var frame: [String] = []
    var connect: [String] = []
}

private let hCaptchaHosts = ["https://hcaptcha.com", "https://*.hcaptcha.com"]
private let cloudflareHosts = ["https://challenges.cloudflare.com"]
