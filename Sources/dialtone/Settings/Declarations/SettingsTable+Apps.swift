import MessageTexts
import PhoneAuth
import PlayIntegrity

extension SettingsTable {
    static var appNames: [Setting<ProjectValues>] {
        [
            Setting("APPS", \.apps, .names, example: "ios,old,android,wear") {
                """
                A comma-separated list of your names for the project's iOS and Android apps. A name has 1 to 63
                lowercase letters, digits and dashes. The names of an app's settings contain its name, in capitals and
                with "_" instead of "-". Only these apps get silent pushes, the challenge page, and messages that the
                SMS Retriever API reads.
                """
            }
        ]
    }

    static var apps: [Setting<AppValues>] { iOSApps + androidApps + playIntegrity }

    private static var iOSApps: [Setting<AppValues>] {
        [
            Setting(
                "BUNDLE_ID",
                \.bundleID,
                .text,
                unset: .required,
                example: ["ios": "com.example.app", "old": "com.example.old"]
            ) {
                "The bundle ID of an iOS app."
            },
            Setting("APP_ID", \.appID, .text, unset: "none", example: ["ios": "1:123:ios:abc"]) {
                """
                The Google app ID of an iOS app: GOOGLE_APP_ID in GoogleService-Info.plist. The challenge page returns
                to the app through the URL scheme that is derived from this ID or from the client ID.
                """
            },
            Setting(
                "CLIENT_ID",
                \.clientID,
                .text,
                unset: "none",
                example: ["ios": "123-abc.apps.googleusercontent.com"]
            ) {
                "The OAuth client ID of an iOS app: CLIENT_ID in GoogleService-Info.plist."
            },
            Setting(
                "APNS_KEY_FILE",
                \.apnsKeyFile,
                .text,
                unset: "none",
                example: ["ios": "/etc/dialtone/AuthKey.p8"]
            ) {
                """
                The token signing key (.p8) of the Apple developer account, which signs the silent pushes of all apps of
                the team. An app with neither a key nor a certificate always gets the challenge page. Only the
                dispatcher reads the file. Check it with: dialtone doctor
                """
            },
            Setting("APNS_KEY_ID", \.apnsKeyID, .appleID, unset: "none", example: ["ios": "ABCDE12345"]) {
                "The ID of the token signing key, ten letters and digits. Required with a token signing key."
            },
            Setting("APNS_TEAM_ID", \.apnsTeamID, .appleID, unset: "none", example: ["ios": "ABCDE67890"]) {
                "The ID of the Apple developer team, ten letters and digits. Required with a token signing key."
            },
            Setting(
                "APNS_CERTIFICATE_FILE",
                \.apnsCertificateFile,
                .text,
                unset: "none",
                example: ["old": "/etc/dialtone/push.pem"]
            ) {
                "A push certificate with its private key (PEM), instead of a token signing key."
            },
        ]
    }

    private static var androidApps: [Setting<AppValues>] {
        [
            Setting(
                "PACKAGE_NAME",
                \.packageName,
                .text,
                unset: "none (the app is an iOS app)",
                example: ["android": "com.example.app", "wear": "com.example.wear"]
            ) {
                """
                The package name of an Android app. The challenge page returns to this app, and the app's challenge
                tokens are valid for no other app.
                """
            },
            Setting(
                "RETRIEVER_HASHES",
                \.retrieverHashes,
                .list(of: "an SMS Retriever hash of 11 characters, such as FA+9qCX9VSu", AppSignatureHash.init),
                unset: "none",
                example: ["android": "FA+9qCX9VSu"]
            ) {
                """
                A comma-separated list of the SMS Retriever hashes of an Android app: one hash of 11 characters for each
                certificate that signs the app (debug, release, Play App Signing). A message ends with the hash that the
                app sends only if the hash is in this list, because any other hash would deliver the code to another app
                on the phone. Otherwise messages contain no hash, and users type the code.
                """
            },
        ]
    }

    private static var playIntegrity: [Setting<AppValues>] {
        let exampleDigest = String(repeating: "4F:", count: 31) + "4F"
        return [
            Setting(
                "PLAY_INTEGRITY_PROJECT_NUMBER",
                \.integrityProjectNumber,
                SettingKind(
                    form: "the number of a Google Cloud project",
                    parse: { text in UInt64(text).flatMap { (1...UInt64(Int64.max)).contains($0) ? $0 : nil } },
                    show: { "\($0)" }
                ),
                unset: "none (the app always gets the challenge page)",
                example: ["android": "123456789012", "wear": "123456789012"]
            ) {
                """
                Verifies an Android app with Play Integrity: the number of your Google Cloud project that is linked to
                the app in the Play Console. Requires certificate digests, and response keys or a service account.
                """
            },
            Setting(
                "CERTIFICATE_DIGESTS",
                \.certificateDigests,
                .list(of: "SHA-256 of a certificate, 64 hexadecimal digits", CertificateDigest.init),
                unset: "none",
                example: ["android": exampleDigest, "wear": exampleDigest]
            ) {
                """
                A comma-separated list of the SHA-256 digests of the certificates that sign the Android app. The Play
                Console shows the digest for Play App Signing. Required for Play Integrity.
                """
            },
            Setting(
                "PLAY_INTEGRITY_KEY_FILE",
                \.integrityKeyFile,
                .text,
                unset: "none",
                example: ["android": "/etc/dialtone/play-integrity.keys"]
            ) {
                """
                The response keys of the Android app, with which workers decode tokens without asking Google: a file of
                two lines, DECRYPTION_KEY= and VERIFICATION_KEY=, each with the key as the Play Console shows it (Play
                Integrity API, "Manage and download my response encryption keys"). Only workers read the file.
                """
            },
            Setting(
                "PLAY_INTEGRITY_SERVICE_ACCOUNT_FILE",
                \.integrityServiceAccountFile,
                .text,
                unset: "none",
                example: ["wear": "/etc/dialtone/play-integrity.json"]
            ) {
                """
                The key file (JSON) of a service account in your Google Cloud project, instead of response keys.
                Google's server then decodes each token. Only workers read the file.
                """
            },
            Setting(
                "PLAY_INTEGRITY_VERDICTS",
                \.integrityVerdicts,
                .names(of: "one of \(IntegrityVerdict.words)", IntegrityVerdict.init(rawValue:)),
                example: ["android": "PLAY_RECOGNIZED,LICENSED,MEETS_STRONG_INTEGRITY"]
            ) {
                """
                A comma-separated list of verdicts, all of which a token must have: \(IntegrityVerdict.words). An app
                that is not on Google Play never has PLAY_RECOGNIZED, and an app that the user did not get from Google
                Play never has LICENSED.
                """
            },
            Setting(
                "PLAY_INTEGRITY_URL",
                \.integrityURL,
                .text,
                unset: .means(GoogleDecoder.googleURL),
                example: ["wear": "\(GoogleDecoder.googleURL)"]
            ) {
                "The URL of the server that decodes tokens with a service account."
            },
        ]
    }
}

extension IntegrityVerdict {
    fileprivate static var words: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

extension SettingKind<String> {
    fileprivate static var appleID: Self {
        text("ten letters and digits") { text in
            text.utf8.count == 10 && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        }
    }
}
