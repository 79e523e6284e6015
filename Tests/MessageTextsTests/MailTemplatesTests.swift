import DialtoneTexts
import Testing

@testable import MessageTexts

@Suite struct MailTemplatesTests {
    private static let link = "https://auth.example.com/__/auth/action?mode=signIn&oobCode=a<b"

    private func mail(
        _ kind: MailKind,
        _ language: String,
        _ templates: MailTemplates,
        email: String = "ann@example.com"
    ) -> MailText {
        templates.mail(
            kind,
            link: Self.link,
            email: email,
            newEmail: "new@example.com",
            languages: LanguagePreferences([language])
        )
    }

    @Test(
        "each mail has a subject of one line, its link and its address, in every language",
        arguments: Language.allCases
    )
    func complete(language: Language) throws {
        for templates in [MailTemplates.nameless, try MailTemplates(appName: "Example")] {
            var texts: Set<String> = []
            for kind in MailKind.allCases {
                let mail = mail(kind, language.tag, templates)
                #expect(!mail.subject.isEmpty && !mail.subject.contains("\n") && !mail.subject.contains("{"))
                #expect(mail.text.components(of: Self.link) == 2 && !mail.text.contains("{"))
                #expect(mail.text.contains(kind == .changeEmail ? "new@example.com" : "ann@example.com"))
                #expect(mail.html.contains("lang=\"\(language.tag)\" dir=\"\(language.direction)\""))
                #expect(mail.text.contains("Example") == (templates.senderName != nil))
                texts.insert(mail.text)
                texts.insert(mail.subject)
                guard language != .english else { continue }
                let english = self.mail(kind, "en", templates)
                #expect(mail.subject != english.subject && mail.text != english.text)
            }
            #expect(texts.count == 2 * MailKind.allCases.count)
        }
    }

    @Test("the HTML is the text, escaped, with the subject as the link")
    func html() throws {
        let templates = try MailTemplates(appName: "<b>\"A&B\"</b>")
        let mail = mail(.signIn, "en", templates, email: "<script>'@example.com")
        #expect(
            mail.html.contains(
                """
                <p>Use this link to sign in as &lt;script&gt;'@example.com:</p>
                <p><a href="https://auth.example.com/__/auth/action?mode=signIn&amp;oobCode=a&lt;b">&lt;b&gt;&quot;A&amp;\
                B&quot;&lt;/b&gt;: Your sign-in link</a></p>
                """
            )
        )
        #expect(!mail.html.contains("<script>") && !mail.html.contains("src="))
        #expect(mail.text.hasSuffix("ignore this e-mail.\n\n<b>\"A&B\"</b>"))
    }

    @Test("an app's name keeps the order of a right-to-left text, and so does an address")
    func direction() throws {
        let mail = mail(.verifyEmail, "ar", try MailTemplates(appName: "7-Eleven"))
        #expect(mail.subject.hasPrefix("\u{2068}7-Eleven\u{2069}: "))
        #expect(mail.text.contains("\u{2068}ann@example.com\u{2069}"))
    }

    @Test("an operator's text replaces one part of one mail in one language")
    func overrides() throws {
        let templates = try MailTemplates(
            appName: "Example",
            overrides: [
                ("de.resetPassword.subject", "Passwort für {app}"),
                ("gsw.signIn.text", #"Grüezi {email}\n\n{link}\nTschüss"#),
            ]
        )
        let german = mail(.resetPassword, "de-AT", templates)
        #expect(german.subject == "Passwort für Example")
        #expect(german.text.hasPrefix("Mit diesem Link"))
        #expect(mail(.verifyEmail, "de", templates).subject == "Example: Bestätige deine E-Mail-Adresse")
        let swiss = mail(.signIn, "gsw-CH", templates)
        #expect(swiss.text == "Grüezi ann@example.com\n\n\(Self.link)\nTschüss")
        #expect(swiss.html.contains("lang=\"gsw\"") && swiss.html.contains("</a><br>Tschüss</p>"))
        #expect(swiss.subject == "Example: Your sign-in link")
    }

    @Test(
        "an invalid override is rejected with the reason",
        arguments: [
            ("de.resetPassword.text", "Kein Link", "{link}"),
            ("de.resetPassword.text", "{link} {link}", "more than once"),
            ("de.resetPassword.text", "{link} {code}", "brace"), ("de.resetPassword.subject", "{link}", "brace"),
            ("de.resetPassword.subject", "a\r\nBcc: b@example.com", "control character"),
            ("de.resetPassword.subject", #"a\nb"#, nil), ("de.reset.text", "{link}", "part of a mail"),
            ("de.resetPassword", "{link}", "part of a mail"), ("german.resetPassword.text", "{link}", "language tag"),
            ("de.resetPassword.text", "{link} {app}", "no app name"),
        ] as [(String, String, String?)]
    )
    func refused(key: String, template: String, reason: String?) {
        do {
            _ = try MailTemplates(overrides: [(key, template)])
            #expect(reason == nil)
        } catch {
            #expect("\(error)".contains(reason ?? "accepted"))
        }
    }
}

extension String {
    fileprivate func components(of separator: String) -> Int {
        split(separator: separator, omittingEmptySubsequences: false).count
    }
}
