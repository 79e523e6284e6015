import CFastCGI
import Glibc

/// An index of the parameters in libfcgi's memory, built in one pass.
struct ParameterIndex {
    private struct Entry {
        let name: UnsafeRawPointer
        let nameBytes: Int
        let valueBytes: Int
    }

    private var entries: [Entry] = []
    private(set) var isWithinLimits = true

    /// Rebuilds the index, reusing its storage.
    ///
    /// The limits bound the handler's work. They cannot bound libfcgi, which has already read the parameters. This is
    /// one more reason to let only the web server reach the socket.
    mutating func scan(_ parameters: FCGX_ParamArray, within limits: ServerConfiguration) {
        entries.removeAll(keepingCapacity: true)
        isWithinLimits = true
        var next = parameters + 1  // the first is libfcgi's own FCGI_ROLE
        var bytes = 0
        while let text = next.pointee {
            next += 1
            let length = strlen(text)
            guard let equals = memchr(text, Int32(UInt8(ascii: "=")), length) else { continue }
            bytes += length - 1
            guard entries.count < limits.maxParameters, bytes <= limits.maxParameterBytes else {
                entries.removeAll(keepingCapacity: true)
                isWithinLimits = false
                return
            }
            let nameBytes = UnsafeRawPointer(equals) - UnsafeRawPointer(text)
            entries.append(
                Entry(name: UnsafeRawPointer(text), nameBytes: nameBytes, valueBytes: length - nameBytes - 1)
            )
        }
    }

    func value(of name: StaticString) -> UnsafeBufferPointer<UInt8>? {
        let nameBytes = name.utf8CodeUnitCount
        for entry in entries
        where entry.nameBytes == nameBytes && memcmp(entry.name, name.utf8Start, nameBytes) == 0 {
            let value = (entry.name + nameBytes + 1).assumingMemoryBound(to: UInt8.self)
            return UnsafeBufferPointer(start: value, count: entry.valueBytes)
        }
        return nil
    }
}
