internal import ChallengePages
internal import Encodings
internal import FastCGI
internal import PhoneAuth

/// What SDKs ask about a project before they begin.
extension IdentityToolkitHandler {
    func projectConfig(_ call: Call) -> Response {
        .json(
            JSONWriter.object { json in
                json.member("projectId", call.project.number)
                json.array("authorizedDomains") { json in
                    for domain in call.project.authorizedDomains { json.value(domain) }
                }
            }
        )
    }

    /// The key of the operator's own widget, which the JS SDK shows.
    func recaptchaParams(_ call: Call) -> Response {
        .json(
            JSONWriter.object { json in
                json.member("kind", "identitytoolkit#GetRecaptchaParamResponse")
                json.member("recaptchaSiteKey", providers.recaptchaSiteKey(of: call.project) ?? "")
                json.member("recaptchaStoken", "")
            }
        )
    }

    /// `OFF` for all providers sends each SDK down the flows that need no reCAPTCHA Enterprise.
    ///
    /// The JS SDK keeps an answer only if it has a `recaptchaKey` of this form; without one it warns and asks again
    /// before every message. No SDK reads the key if all providers are `OFF`.
    func recaptchaConfig(_ call: Call) -> Response {
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
            }
        )
    }
}
