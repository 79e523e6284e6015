internal import ChallengePages
internal import Encodings
internal import FastCGI
internal import PhoneAuth

/// The settings that SDKs request before sign-in.
extension IdentityToolkitHandler {
    static func projectConfig(_ call: Call) -> Response {
        .json(
            JSONWriter.object { json in
                json.member("projectId", call.project.number)
                json.array("authorizedDomains") { json in
                    for domain in call.project.authorizedDomains { json.value(domain) }
                }
            }
        )
    }

    /// Returns the site key of the operator's own CAPTCHA widget, which the JS SDK shows, and the Google Cloud project
    /// for which the Android SDK requests Play Integrity tokens. Without such a project, the SDK opens the challenge
    /// page.
    static func recaptchaParams(_ call: Call) -> Response {
        .json(
            JSONWriter.object { json in
                json.member("kind", "identitytoolkit#GetRecaptchaParamResponse")
                json.member("recaptchaSiteKey", call.providers.recaptchaSiteKey(of: call.project) ?? "")
                json.member("recaptchaStoken", "")
                if case .android(let packageName) = call.app,
                    let app = call.project.androidApps.app(packageName: packageName),
                    let number = app.integrityProjectNumber
                {
                    json.member("producerProjectNumber", String(number))
                }
            }
        )
    }

    /// Returns `OFF` for all providers, so that each SDK uses the flows without reCAPTCHA Enterprise.
    ///
    /// The JS SDK caches the response only if it has a `recaptchaKey` of this form. Without the key it warns and
    /// requests the configuration again before every message. No SDK reads the key if all providers are `OFF`.
    ///
    /// A page keeps the response in memory only, so the browser's cache saves each page load a request before its first
    /// message.
    static func recaptchaConfig(_ call: Call) -> Response {
        .json(
            JSONWriter.object { json in
                json.member("recaptchaKey", "projects/\(call.project.number)/keys/not-enforced")
                json.array("recaptchaEnforcementState") { json in
                    for provider in ["PHONE_PROVIDER", "EMAIL_PASSWORD_PROVIDER"] {
                        json.object { json in
                            json.member("provider", provider)
                            json.member("enforcementState", "OFF")
                        }
                    }
                }
            },
            publicFor: .seconds(3600),
            ifInURL: call.isAPIKeyInURL
        )
    }
}
