import WaymarkHTTP

/// Copies out of the receive buffer, for what must outlive the call.
extension ByteRange {
    /// Bytes that are no UTF-8 become U+FFFD.
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
    /// The field's value; nil where it is absent.
    func text(_ field: RequestField, in bytes: Span<UInt8>) -> String? {
        value(field)?.text(in: bytes)
    }
}
