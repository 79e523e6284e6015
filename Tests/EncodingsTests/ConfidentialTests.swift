import Encodings
import Testing

@Suite struct ConfidentialTests {
    struct Secret: Confidential {
        let text = "hidden"
    }

    @Test("no way of printing shows the content of a value")
    func printing() {
        for value in [Secret(), [Secret()], Optional(Secret()) as Any, (1, Secret())] as [Any] {
            var dumped = ""
            dump(value, to: &dumped)
            for text in ["\(value)", String(describing: value), String(reflecting: value), dumped] {
                #expect(!text.contains("hidden") && text.contains("Secret(…)"))
            }
        }
    }
}
