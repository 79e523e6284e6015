internal import Encodings

/// What is read as a form is written, and read as the same again; any text can be a form's value.
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

/// Whether names and values are the same byte for byte; texts are equal in Swift where they only look the same.
private func isSame(_ form: FormFields?, _ fields: [(name: String, value: String)]) -> Bool {
    guard let form else { return false }
    return form.fields.elementsEqual(fields) {
        $0.name.utf8.elementsEqual($1.name.utf8) && $0.value.utf8.elementsEqual($1.value.utf8)
    }
}
