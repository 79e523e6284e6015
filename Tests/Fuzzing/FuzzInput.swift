// libFuzzer programs, one for each parser of untrusted input. `make fuzz` builds them and runs each for
// a while over its seeds; they are no target of the package. An input that breaks a rule is kept: it goes to the seeds
// when the fault is mended.

/// The bytes that libFuzzer hands over.
func fuzzInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> [UInt8] {
    Array(UnsafeBufferPointer(start: bytes, count: count))
}

/// Ends the program where a rule is broken; libFuzzer then keeps the input.
func require(_ holds: Bool, _ rule: String) {
    if !holds { fatalError(rule) }
}
