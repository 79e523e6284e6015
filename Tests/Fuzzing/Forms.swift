internal import Encodings

/// Forms: a parsed form can be written and parsed again without a change, and any text can be a form's value.
@c(LLVMFuzzerTestOneInput)
public func fuzzForms(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = fuzzInput(bytes, count)
    let text = String(decoding: input, as: UTF8.self)
    require(
        isSame(FormFields(FormFields.encode([("value", text)]).utf8), [("value", text)]),
        "any text comes back out of a form"
    )
    guard let fields = FormFields(input)?.fields else { return 0 }
    let written = FormFields.encode(fields.map { (PercentEncoding.encode($0.name), $0.value) })
    require(isSame(FormFields(written.utf8), fields), "what was written is read as the same")
    return 0
}

/// Returns whether names and values are equal byte for byte. Swift's `==` also accepts canonically equivalent texts.
private func isSame(_ form: FormFields?, _ fields: [(name: String, value: String)]) -> Bool {
    guard let form else { return false }
    return form.fields.elementsEqual(fields) {
        $0.name.utf8.elementsEqual($1.name.utf8) && $0.value.utf8.elementsEqual($1.value.utf8)
    }
}
