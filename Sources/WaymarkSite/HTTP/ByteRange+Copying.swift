import WaymarkHTTP

/// Copies from the receive buffer, for values that must outlive the call.
extension ByteRange {
    /// Invalid UTF-8 becomes U+FFFD.
    func text(in bytes: Span<UInt8>) -> String {
        String(decoding: copy(of: bytes), as: UTF8.self)
    }

    func copy(of bytes: Span<UInt8>) -> [UInt8] {
        var copy: [UInt8] = []
        copy.reserveCapacity(count)
        for position in indices { copy.append(bytes[position]) }
        return copy
    }
}

extension RequestHead {
    /// The field's value; nil if it is missing.
    func text(_ field: RequestField, in bytes: Span<UInt8>) -> String? {
        value(field)?.text(in: bytes)
    }
}
