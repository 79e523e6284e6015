// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

public struct SHA256Digest: Sequence, Sendable {
    public func makeIterator() -> IndexingIterator<[UInt8]> { [].makeIterator() }
}

public struct SHA256: Sendable {
    public init() {}

    public static func hash<D: DataProtocol>(data: D) -> SHA256Digest { SHA256Digest() }

    public mutating func update<D: DataProtocol>(data: D) {}

    public func finalize() -> SHA256Digest { SHA256Digest() }
}
