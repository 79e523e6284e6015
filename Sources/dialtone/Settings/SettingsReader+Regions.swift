import PhoneAuth
import PhoneNumbers

/// To which regions projects send.
extension SettingsReader {
    func smsRegions(of project: String) throws(Failure) -> SMSRegionPolicy {
        let allowed = try regions("project.\(project).smsAllowedRegions")
        let disallowedKey = "project.\(project).smsDisallowedRegions"
        let disallowed = try regions(disallowedKey)
        switch (allowed, disallowed) {
        case (nil, nil): return .everywhere
        case (let allowed?, nil): return .allowlistOnly(allowed: allowed)
        case (nil, let disallowed?): return .allowByDefault(disallowed: disallowed)
        case (.some, .some): throw wrong(disallowedKey, "nothing where allowed regions are named: one of the two")
        }
    }

    /// nil where the setting is not set.
    private func regions(_ key: String) throws(Failure) -> Set<Region>? {
        guard source.text(key) != nil else { return nil }
        let phoneNumbers = PhoneNumbers(cacheCapacity: 0)
        var regions: Set<Region> = []
        for code in source.list(key) {
            guard let region = Region(code), phoneNumbers.knows(region) else {
                throw wrong(key, "region codes such as US, GB or 001, and \"\(code)\" is none")
            }
            regions.insert(region)
        }
        guard !regions.isEmpty else { throw wrong(key, "at least one region code") }
        return regions
    }
}
