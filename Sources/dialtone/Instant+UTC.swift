import Glibc
import PhoneAuth

extension Instant {
    /// Such as `2026-01-31T08:15:30Z`, for people to read.
    var utc: String {
        var time = time_t(seconds)
        var parts = tm()
        gmtime_r(&time, &parts)
        var text = [CChar](repeating: 0, count: 32)
        let length = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
        return String(decoding: text[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Reads such a text; nil where it is none.
    init?(utc text: String) {
        var parts = tm()
        let isWhole = text.withCString { strptime($0, "%Y-%m-%dT%H:%M:%SZ", &parts)?.pointee == 0 }
        guard isWhole else { return nil }
        self.init(milliseconds: Int64(timegm(&parts)) * 1000)
    }
}
