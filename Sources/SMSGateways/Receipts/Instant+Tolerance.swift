internal import Encodings

extension Instant {
    /// Returns whether this time differs from `other` by at most `tolerance`, in either direction, counted in whole
    /// seconds as in signatures.
    func isWithin(_ tolerance: Duration, of other: Instant) -> Bool {
        let (difference, isTooFar) = seconds.subtractingReportingOverflow(other.seconds)
        return !isTooFar && difference.magnitude <= UInt64(max(0, tolerance.components.seconds))
    }
}
