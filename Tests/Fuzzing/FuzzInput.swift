// libFuzzer programs, one for each parser of untrusted input. `make fuzz` builds them and runs each for a while with
// its seeds. They are not targets of the package. An input that breaks a rule is added to the seeds together with the
// fix.

/// Returns the bytes from libFuzzer.
func fuzzInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> [UInt8] {
    Array(UnsafeBufferPointer(start: bytes, count: count))
}

/// Ends the program if a rule is broken, so that libFuzzer keeps the input.
func require(_ holds: Bool, _ rule: String) {
    if !holds { fatalError(rule) }
}
