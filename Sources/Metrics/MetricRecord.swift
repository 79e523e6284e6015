/// A series in a file: its key and its values.
struct MetricRecord: Sendable {
    let key: SeriesKey
    let kind: MetricFamily.Kind
    let shape: UInt32
    var values: [UInt64]

    /// The offsets of the parts of a record: `size: UInt32`, `key length: UInt16`, `kind: UInt8`, `values: UInt8`,
    /// `shape: UInt32`, four unused bytes, the key, and, at the next multiple of 8, the values.
    struct Layout {
        static let head = 16
        let keyBytes: Int
        let values: Int

        var firstValue: Int { Self.head + (keyBytes + 7) / 8 * 8 }
        var byteCount: Int { firstValue + 8 * values }

        /// Writes everything but the values.
        func write(_ key: String, kind: UInt8, shape: UInt32, to start: UnsafeMutableRawPointer) {
            start.storeBytes(of: UInt32(byteCount), as: UInt32.self)
            start.storeBytes(of: UInt16(keyBytes), toByteOffset: 4, as: UInt16.self)
            start.storeBytes(of: kind, toByteOffset: 6, as: UInt8.self)
            start.storeBytes(of: UInt8(values), toByteOffset: 7, as: UInt8.self)
            start.storeBytes(of: shape, toByteOffset: 8, as: UInt32.self)
            for (index, byte) in key.utf8.enumerated() {
                start.storeBytes(of: byte, toByteOffset: Self.head + index, as: UInt8.self)
            }
        }
    }
}
