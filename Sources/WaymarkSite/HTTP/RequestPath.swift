import WaymarkHTTP

/// A request's path, taken apart: segments between the slashes, each percent-decoded once. A slash that was encoded is
/// part of its segment, and dots mean nothing here.
struct RequestPath: Sendable {
    let segments: [String]

    /// Nil where the decoded bytes are no UTF-8.
    init?(_ head: RequestHead, in bytes: Span<UInt8>) {
        var segments: [String] = []
        var segment: [UInt8] = []
        var position = Int(head.path.start) + 1
        let end = Int(head.path.end)
        while position < end {
            let byte = bytes[position]
            position += 1
            if byte == UInt8(ascii: "/") {
                guard let text = String(validating: segment, as: UTF8.self) else { return nil }
                segments.append(text)
                segment.removeAll(keepingCapacity: true)
            } else if byte == UInt8(ascii: "%"), position + 1 < end,
                let high = Self.hexadecimal(bytes[position]), let low = Self.hexadecimal(bytes[position + 1])
            {
                segment.append(high << 4 | low)
                position += 2
            } else {
                segment.append(byte)
            }
        }
        guard let text = String(validating: segment, as: UTF8.self) else { return nil }
        segments.append(text)
        self.segments = segments
    }

    init(_ segments: [String]) { self.segments = segments }

    private static func hexadecimal(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}
