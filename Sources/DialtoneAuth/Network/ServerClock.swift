internal import Foundation

/// An estimate of the server's time, from the dates of its responses: the device's clock plus an offset.
///
/// Tokens expire by the server's clock, and users change the clocks of their devices.
final class ServerClock: Sendable {
    /// Seconds since 1970, until the year 9999. Other times from a server are invalid and would overflow computations.
    static let times: ClosedRange<TimeInterval> = 0...253_402_300_799
    /// A hundred years. Greater offsets are not plausible.
    private static let offsets: ClosedRange<TimeInterval> = -3_155_760_000...3_155_760_000

    /// The device's clock.
    let deviceTime: @Sendable () -> Date
    private let state = Locked<TimeInterval?>(nil)

    init(deviceTime: @escaping @Sendable () -> Date) { self.deviceTime = deviceTime }

    /// The server's time.
    var now: Date { deviceTime().addingTimeInterval(offset) }

    /// How far the server's clock is ahead of the device's, in seconds; 0 until a response has been received.
    var offset: TimeInterval { state.withLock { $0 } ?? 0 }

    /// Restores an offset that an earlier process measured, unless this process has measured one.
    func restore(_ offset: TimeInterval) {
        guard Self.offsets.contains(offset) else { return }
        state.withLock { $0 = $0 ?? offset }
    }

    /// Updates the offset from a response's `Date` field, which has whole seconds, and from the duration of the
    /// request.
    func learn(_ date: Date, sentAt: Date) {
        let receivedAt = deviceTime()
        let transit = receivedAt.timeIntervalSince(sentAt)
        // If the device's clock was changed meanwhile, or the response took long, the measurement is too imprecise.
        guard (0...20).contains(transit) else { return }
        let measured = date.addingTimeInterval(0.5).timeIntervalSince(receivedAt.addingTimeInterval(-transit / 2))
        guard Self.offsets.contains(measured) else { return }
        // Offsets below two seconds are within the error of the measurement.
        state.withLock { $0 = abs(measured) < 2 ? 0 : measured }
    }

    /// Parses an HTTP date (RFC 9110 § 5.6.7), only in its preferred form.
    static func date(ofHeader text: String) -> Date? {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.date(from: text)
    }
}
