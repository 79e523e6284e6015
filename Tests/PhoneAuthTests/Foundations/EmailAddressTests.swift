import Testing

@testable import PhoneAuth

@Suite struct EmailAddressTests {
    @Test(
        "however an address is typed, it has one form",
        arguments: [
            ("Ann@Example.COM", "ann@example.com"),
            // NFC, NFD, and combining marks in another order.
            ("zoë@example.com", "zo\u{EB}@example.com"), ("ZOE\u{308}@example.com", "zo\u{EB}@example.com"),
            ("q\u{307}\u{323}@example.com", "q\u{323}\u{307}@example.com"),
            ("\u{1112}\u{1161}\u{11AB}@example.com", "\u{D55C}@example.com"),
            // Domains as U-labels and as A-labels.
            ("ann@bücher.example", "ann@xn--bcher-kva.example"),
            ("ann@BU\u{308}CHER.example", "ann@xn--bcher-kva.example"),
            ("ann@XN--BCHER-KVA.example", "ann@xn--bcher-kva.example"),
            ("ann@faß.example", "ann@xn--fa-hia.example"), ("ann@ｅｘａｍｐｌｅ。ｃｏｍ", "ann@example.com"),
            ("アン@例え.テスト", "アン@xn--r8jz45g.xn--zckzah"),
            // The Kelvin sign's lower case is ASCII.
            ("\u{212A}@example.com", "k@example.com"),
        ]
    )
    func form(typed: String, form: String) throws {
        let address = try #require(EmailAddress(typed))
        // Bytes, because texts that differ only in normalization are equal.
        #expect(Array(address.text.utf8) == Array(form.utf8))
        #expect(EmailAddress(address.text) == address)
    }

    @Test("different mailboxes have different addresses")
    func different() {
        for (left, right) in [("fina@example.com", "ﬁna@example.com"), ("a@fass.example", "a@faß.example")] {
            #expect(EmailAddress(left) != nil && EmailAddress(left) != EmailAddress(right))
        }
    }

    @Test(
        "an invalid address is rejected, before and after its normalization",
        arguments: [
            "", "@", "ann", "ann@", "@example.com", "a@b@example.com", "ann@.example", "ann@ü..example",
            "ann@ü.example.",
            "ann@-ü.example", "ann@☃.example", "ann@ü_.example", "ann@ü\u{2100}.example", "ann@xn--a.ü.example",
            "an n@example.com", "a\u{200D}n@example.com", "ann@\u{308}example.com", "ann@exam＠ple.com",
            String(repeating: "é", count: 33) + "@example.com", "ann@" + String(repeating: "ü", count: 63) + ".example",
            "ann@" + String(repeating: "ü.", count: 60) + "example",
            String(repeating: "e\u{308}", count: 400) + "@example.com",
        ]
    )
    func invalid(text: String) {
        #expect(EmailAddress(text) == nil)
    }

    @Test("a decomposed local part may be longer than its form")
    func decomposed() {
        #expect(EmailAddress(String(repeating: "e\u{308}", count: 32) + "@example.com") != nil)
    }
}
