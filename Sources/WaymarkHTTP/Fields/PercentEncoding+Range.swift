package import WaymarkBytes

extension PercentEncoding {
    /// Decodes the bytes in `range` to text.
    ///
    /// - Returns: nil where the encoding is malformed or the bytes that it gives are not UTF-8.
    package static func decodeText(_ bytes: Span<UInt8>, _ range: ByteRange, plusIsSpace: Bool = false) -> String? {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(range.count)
        for position in range.indices { decoded.append(bytes[position]) }
        return decode(&decoded, plusIsSpace: plusIsSpace, .rejected) ? String(validUTF8: decoded) : nil
    }
}
