internal import DialtoneTexts

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

private let hCaptchaHosts = ["https://hcaptcha.com", "https://*.hcaptcha.com"]
private let cloudflareHosts = ["https://challenges.cloudflare.com"]
