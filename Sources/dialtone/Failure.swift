/// An error that ends a command: one line that says what is wrong and where.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
