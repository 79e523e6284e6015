import PhoneNumbers
import Testing

@Suite struct PrivacyTests {
    private struct SignIn {
        let number: E164
        let numbers: [String: E164?]
    }

    private let phoneNumbers = PhoneNumbers()

    private func dumped(_ value: some Any) -> String {
        var text = ""
        dump(value, to: &text)
        return text
    }

    @Test(
        "a description shows only the last four digits",
        arguments: [("+16505550100", "+•••••••0100"), ("+447400123456", "+••••••••3456"), ("+6834000", "+•••4000")]
    )
    func masked(text: String, description: String) throws {
        let number = try phoneNumbers.parse(text)
        #expect(number.description == description)
        #expect(number.debugDescription == description)
    }

    @Test("printing a number shows no more than its last four digits")
    func printing() throws {
        let number = try phoneNumbers.parse("+16505550100")
        let signIn = SignIn(number: number, numbers: ["a": number, "b": nil])
        let error: Result<E164, PhoneNumberError> = .success(number)
        let printed = [
            "\(number)", String(describing: number), String(reflecting: number), "\(Optional(number) as Any)",
            "\([number])", "\(signIn)", String(reflecting: signIn), "\(error)",
            dumped(number), dumped(signIn), dumped([number]), dumped(phoneNumbers), String(reflecting: phoneNumbers),
        ]
        // Parts longer than four digits. A memory address may contain three or four of the digits by chance.
        let digits = Array("6505550100")
        let parts = (0...4).map { String(digits[$0..<($0 + 6)]) }
        for text in printed { #expect(!parts.contains { text.contains($0) }, "\(text)") }
        #expect(dumped(signIn).contains("•0100"))
        #expect(Mirror(reflecting: number).children.isEmpty)
        #expect(Mirror(reflecting: phoneNumbers).children.isEmpty)
    }
}
