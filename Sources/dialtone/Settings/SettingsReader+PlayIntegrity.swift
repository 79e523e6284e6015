import Encodings
import PhoneAuth
import PlayIntegrity

extension [ProjectReader] {
    /// Returns the Android apps that prove themselves with Play Integrity, without those that have faults.
    func playIntegrity() -> [PlayIntegritySetting] {
        var settings: [PlayIntegritySetting] = []
        for reader in self {
            for app in reader.apps where app.isSet(\.packageName) {
                guard let setting = app.collect(try app.playIntegrity(of: reader.id)) ?? nil else { continue }
                settings.append(setting)
            }
        }
        return settings
    }
}

extension AppValues {
    /// The settings that have an effect only if a project number for Play Integrity is set.
    static var settingsOfIntegrity: [PartialKeyPath<AppValues>] {
        [
            \.certificateDigests, \.integrityKeyFile, \.integrityServiceAccountFile, \.integrityVerdicts,
            \.integrityURL,
        ]
    }
}

extension SettingsReader<AppValues> {
    /// Returns how the app's tokens are verified; nil if it does not use Play Integrity.
    fileprivate func playIntegrity(of projectID: String) throws(FaultySetting) -> PlayIntegritySetting? {
        try check(\.integrityProjectNumber)
        guard self.integrityProjectNumber != nil else {
            let name = name(of: \.integrityProjectNumber)
            refuse(AppValues.settingsOfIntegrity, "has no effect because \(name) is not set; set it, or remove this")
            return nil
        }
        let requirements = IntegrityRequirements(
            certificateDigests: try required(\.certificateDigests),
            verdicts: self.integrityVerdicts
        )
        return PlayIntegritySetting(
            projectID: projectID,
            packageName: try required(\.packageName),
            requirements: requirements,
            decoding: try integrityDecoding()
        )
    }

    private func integrityDecoding() throws(FaultySetting) -> PlayIntegritySetting.Decoding {
        switch (self.integrityKeyFile, self.integrityServiceAccountFile) {
        case (let file?, nil):
            let name = name(of: \.integrityKeyFile)
            refuse([\.integrityURL], "has no effect because \(name) is set; remove one of them")
            return .keys(file: file)
        case (nil, let file?):
            return .serviceAccount(file: file, server: try integrityServer())
        case (.some, .some):
            let name = name(of: \.integrityKeyFile)
            throw fault(\.integrityServiceAccountFile, .because("\(name) is set, too; remove one of them"))
        case (nil, nil):
            let other = name(of: \.integrityServiceAccountFile)
            throw missing(\.integrityKeyFile, "Play Integrity requires it or \(other)")
        }
    }

    private func integrityServer() throws(FaultySetting) -> ServiceURL {
        let text = self.integrityURL ?? GoogleDecoder.googleURL
        guard let url = try? ServiceURL(text, allowsPlainLoopback: true), ServiceURL.origin(of: text) == text else {
            throw fault(\.integrityURL, .isNot("an https URL without a path, such as \(GoogleDecoder.googleURL)"))
        }
        return url
    }
}
