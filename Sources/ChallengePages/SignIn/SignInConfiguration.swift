public import DialtoneTexts
internal import Encodings
public import PhoneAuth
public import PhoneNumbers

/// What a sign-in page needs to know about a project before its user can type: one public document, so that one
/// request, which browsers cache, is enough. A hosted page has it in its own document.
public struct SignInConfiguration: Sendable {
    /// How long browsers may cache the configuration. A changed setting reaches pages after this time.
    public static let lifetime: Duration = .seconds(300)

    let language: Language
    let provider: ChallengeProvider?
    let component: WebComponent
    private let project: Project
    private let recentSignIn: Duration
    private let dialedRegions: [DialedRegion]

    /// Creates the configuration of a project.
    ///
    /// - Parameters:
    ///   - project: the project as configured now.
    ///   - language: the language of the texts.
    ///   - provider: the project's CAPTCHA provider; nil for a proof of work.
    ///   - component: which component requests it.
    ///   - recentSignIn: how long a sign-in counts as recent.
    ///   - regions: the regions of the numbering data, from which the project's are chosen.
    public init(
        of project: Project,
        language: Language,
        provider: ChallengeProvider?,
        component: WebComponent,
        recentSignIn: Duration,
        regions: [DialedRegion]
    ) {
        self.project = project
        self.language = language
        self.provider = provider
        self.component = component
        self.recentSignIn = recentSignIn
        dialedRegions = regions
    }

    /// The document. Regions are triples of code, calling code and an example, the main region of a calling code first.
    public var json: [UInt8] { JSONWriter.object { write(to: &$0) } }

    func write(to json: inout JSONWriter) {
        json.member("language", language.tag)
        json.member("direction", language.direction)
        json.member("issuer", project.idTokenIssuer)
        json.member("phoneSignIn", project.isPhoneSignInEnabled)
        json.member("passwordSignIn", project.isPasswordSignInEnabled)
        json.member("codeLength", Int64(VerificationCode.digitCount))
        if case .account = component {
            json.member("recentSignInSeconds", recentSignIn.components.seconds)
            json.array("secondFactors") { json in
                if project.secondFactors.allows(.totp) { json.value("totp") }
                if project.secondFactors.allows(.sms) { json.value("sms") }
            }
        }
        if let provider { json.object("provider") { provider.write(to: &$0, language) } }
        json.array("regions") { json in
            for region in regions {
                json.array { json in
                    json.value(region.region.description)
                    json.value(Int64(region.callingCode))
                    json.value(region.example)
                }
            }
        }
        json.member("texts", .object(component.texts(in: language)))
    }

    private var regions: [DialedRegion] {
        let allowed = dialedRegions.filter { project.sends(to: $0.region) }
        return allowed.filter(\.isMainOfCallingCode) + allowed.filter { !$0.isMainOfCallingCode }
    }
}
