import Glibc
import PhoneAuth

extension Instant {
    /// The time in human-readable form, such as `2026-01-31T08:15:30Z`.
    var utc: String {
        var time = time_t(seconds)
        var parts = tm()
        gmtime_r(&time, &parts)
        var text = [CChar](repeating: 0, count: 32)
        let length = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
        return String(decoding: text[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Parses the form of ``utc``; nil if the text has another form.
    init?(utc text: String) {
        let form = "0000-00-00T00:00:00Z"
        guard text.utf8.count == form.utf8.count,
            zip(text, form).allSatisfy({ $1 == "0" ? $0.isASCII && $0.isNumber : $0 == $1 })
        else { return nil }
        let numbers = text.split { !$0.isNumber }.compactMap { Int32($0) }
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (numbers[0] - 1900, numbers[1] - 1, numbers[2])
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (numbers[3], numbers[4], numbers[5])
        let time = Instant(milliseconds: Int64(timegm(&parts)) * 1000)
        // An invalid date, such as February 30, is normalized to another day.
        guard time.utc == text else { return nil }
        self = time
    }
}
