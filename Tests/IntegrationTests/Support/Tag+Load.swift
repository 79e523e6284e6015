import Testing

extension Tag {
    /// The suite needs the whole machine: its requests have deadlines, and many processes work at once.
    ///
    /// `make test` runs such suites after the others and one after the other. It takes their names from the line of
    /// `@Suite`, since `swift test` (6.3) cannot select by tag.
    @Tag static var load: Self
}
