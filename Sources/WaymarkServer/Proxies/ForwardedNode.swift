import WaymarkBytes
import WaymarkHTTP

/// The sender of a request, as named by a proxy.
enum ForwardedNode: Equatable {
    case address(IPAddress)
    /// `unknown`, or an obfuscated identifier: the proxy hides the address.
    case hidden

    /// A node of a `Forwarded` field (RFC 7239 section 6): an IPv4 address, an IPv6 address in brackets, `unknown` or
    /// an obfuscated identifier, each with an optional port. Nil for anything else.
    init?(node: ForwardedElement.Value, in bytes: Span<UInt8>) {
        guard node.isEscaped else {
            self.init(bytes.extracting(node.range.indices), isStrict: true)
            return
        }
        let plain = node.bytes(in: bytes)
        self.init(plain.span, isStrict: true)
    }

    /// An element of `X-Forwarded-For`, which has no specification: as above, or an IPv6 address without brackets.
    init?(element: Span<UInt8>) {
        self.init(element, isStrict: false)
    }

    private init?(_ text: Span<UInt8>, isStrict: Bool) {
        guard text.count > 0 else { return nil }
        if text[0] == UInt8(ascii: "[") {
            var end = 1
            while end < text.count, text[end] != UInt8(ascii: "]") { end += 1 }
            guard end < text.count, Self.isPort(text, from: end + 1),
                let address = IPAddress(text.extracting(1..<end)), text.extracting(1..<end).holdsColon
            else { return nil }
            self = .address(address)
            return
        }
        if !isStrict, text.holdsColon, let address = IPAddress(text) {
            self = .address(address)
            return
        }
        var end = 0
        while end < text.count, text[end] != UInt8(ascii: ":") { end += 1 }
        guard Self.isPort(text, from: end) else { return nil }
        let name = text.extracting(0..<end)
        if let address = IPAddress(name) {
            self = .address(address)
        } else if Self.isUnknown(name) || Self.isObfuscated(name) {
            self = .hidden
        } else {
            return nil
        }
    }

    /// Empty, or a colon and a port: up to five digits, or an obfuscated one.
    private static func isPort(_ text: Span<UInt8>, from start: Int) -> Bool {
        if start == text.count { return true }
        guard text[start] == UInt8(ascii: ":"), start + 1 < text.count else { return false }
        let port = text.extracting(start + 1..<text.count)
        if isObfuscated(port) { return true }
        guard port.count <= 5 else { return false }
        for index in port.indices where port[index] &- 0x30 > 9 { return false }
        return true
    }

    private static func isUnknown(_ text: Span<UInt8>) -> Bool {
        let unknown: StaticString = "unknown"
        guard text.count == unknown.utf8CodeUnitCount else { return false }
        for (index, byte) in String(describing: unknown).utf8.enumerated() where text[index] | 0x20 != byte {
            return false
        }
        return true
    }

    /// `_` and at least one of `A-Z a-z 0-9 . _ -`.
    private static func isObfuscated(_ text: Span<UInt8>) -> Bool {
        guard text.count > 1, text[0] == UInt8(ascii: "_") else { return false }
        for index in 1..<text.count {
            switch text[index] {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                continue
            default: return false
            }
        }
        return true
    }
}

extension Span<UInt8> {
    fileprivate var holdsColon: Bool {
        for index in indices where self[index] == UInt8(ascii: ":") { return true }
        return false
    }
}
