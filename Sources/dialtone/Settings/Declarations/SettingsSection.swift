/// A part of the example file.
struct SettingsSection {
    let title: String
    /// What holds for all its settings.
    let introduction: String?
    /// In the order of the example file.
    let settings: [any AnySetting]

    init(_ title: String, introduction: String? = nil, _ settings: [any AnySetting]...) {
        self.title = title
        self.introduction = introduction
        self.settings = Array(settings.joined())
    }
}
