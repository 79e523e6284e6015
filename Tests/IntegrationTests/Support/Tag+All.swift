import Testing

/// `make test` runs the suites with a tag after most others. It finds them by the line of `@Suite`, and by the name of
/// the file, because `swift test` (6.3) cannot select by tag.
extension Tag {
    /// Marks a suite whose requests have deadlines, while it keeps many processes busy. Two tests of such suites run at
    /// a time.
    @Tag static var load: Self
    /// Marks a suite whose requests are those of an app. They have deadlines too, and would wait for threads that other
    /// tests block.
    @Tag static var client: Self
}
