import Testing

@testable import MessageTexts

@Suite struct AppNameTests {
    @Test(
        "an app name is trimmed and may contain any characters of a brand name",
        arguments: [
            ("Example", "Example"), ("  Example \n", "Example"), ("7-Eleven", "7-Eleven"), ("AC/DC", "AC/DC"),
            ("example.com", "example.com"), ("{code}", "{code}"), ("👩‍👩‍👧", "👩‍👩‍👧"),
            (String(repeating: "x", count: 40), String(repeating: "x", count: 40)),
        ]
    )
    func accepted(text: String, expected: String) throws {
        #expect(try AppName(text).text == expected)
        let message = try MessageTemplates(appName: text).message(
            code: "123456",
            languages: LanguagePreferences(["en"])
        )
        #expect(message.text.hasPrefix("123456 is your \(expected) "))
    }

    @Test(
        "an app name that would break a message is rejected",
        arguments: [
            ("", AppNameFault.empty), (" \n ", .empty), ("\u{200B}\u{FEFF}", .empty),
            (String(repeating: "x", count: 41), .tooLong),
            ("a" + String(repeating: "\u{301}", count: 40), .tooLong), ("a\nb", .controlCharacter),
            ("a\u{7}b", .controlCharacter),
            ("a\u{2029}b", .controlCharacter), ("a\u{202E}b", .controlCharacter), ("a\u{2066}b", .controlCharacter),
            ("\u{200F}a", .controlCharacter), ("https://example.com", .link),
        ]
    )
    func refused(text: String, fault: AppNameFault) {
        #expect(throws: MessageTemplateError.appName(fault)) { try MessageTemplates(appName: text) }
        #expect("\(MessageTemplateError.appName(fault))".hasPrefix("the app name "))
    }

    @Test(
        "an app name is isolated only if bidirectional text needs it",
        arguments: [
            ("Example", true, false), ("Example 24", true, false), ("R&D (Example)x", true, false),
            ("متجر الأخبار", true, false),
            ("7-Eleven", true, true), ("Yahoo!", true, true), ("Exämple", true, true), ("חדשות 24", true, true),
            ("News חדשות", true, true),
            ("Example", false, false), ("7-Eleven", false, false), ("例え", false, false), ("חדשות", false, true),
            ("News חדשות", false, true),
        ]
    )
    func isolation(text: String, inRightToLeftText: Bool, isolated: Bool) throws {
        let expected = isolated ? "\u{2068}\(text)\u{2069}" : text
        #expect(try AppName(text).text(inRightToLeftText: inRightToLeftText) == expected)
    }
}
