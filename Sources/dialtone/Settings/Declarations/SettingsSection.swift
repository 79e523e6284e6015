/// A section of the example file.
struct SettingsSection {
    let title: String
    /// A text that applies to all settings of the section.
    let introduction: String?
    /// The settings in the order of the example file.
    let settings: [any AnySetting]

    init(_ title: String, introduction: String? = nil, _ settings: [any AnySetting]...) {
        self.title = title
        self.introduction = introduction
        self.settings = Array(settings.joined())
    }
}
