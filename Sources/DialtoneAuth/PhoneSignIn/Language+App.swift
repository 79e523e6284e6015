internal import DialtoneTexts
internal import Foundation

extension Language {
    /// The language in which the system shows the app: in any other language, the sign-in would not match the app's
    /// other views.
    static var ofApp: Language { Language(matching: Bundle.main.preferredLocalizations.first) }

    /// Returns a duration in words, in seconds, minutes or hours, such as `2 minutes`. The server's sign-in component
    /// chooses the unit in the same way. On systems without a formatter for it, returns the duration as a clock shows
    /// it.
    func duration(_ seconds: Int) -> String {
        let size = seconds < 90 ? 1 : seconds < 5_400 ? 60 : 3_600
        let count = (seconds + size - 1) / size
        if #available(iOS 16, macOS 13, tvOS 16, watchOS 9, visionOS 1, *) {
            let unit: Duration.UnitsFormatStyle.Unit = size == 1 ? .seconds : size == 60 ? .minutes : .hours
            let style = Duration.UnitsFormatStyle(allowedUnits: [unit], width: .wide)
            return Duration.seconds(count * size).formatted(style.locale(Locale(identifier: rawValue)))
        }
        return Self.clock(seconds)
    }

    /// Returns a duration in minutes and seconds, and in hours if it is that long: `1:05`, `2:00:00`.
    static func clock(_ seconds: Int) -> String {
        let (minutes, rest) = (seconds / 60, String(format: "%02d", seconds % 60))
        return minutes < 60 ? "\(minutes):\(rest)" : "\(minutes / 60):\(String(format: "%02d", minutes % 60)):\(rest)"
    }
}
