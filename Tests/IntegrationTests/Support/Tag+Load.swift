import Testing

extension Tag {
    /// Marks a suite that needs the whole machine: its requests have deadlines, and many processes work at once.
    ///
    /// `make test` runs such suites after the others, one at a time. It reads their names from the line of `@Suite`,
    /// because `swift test` (6.3) cannot select by tag.
    @Tag static var load: Self
}
