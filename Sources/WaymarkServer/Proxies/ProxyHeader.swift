import WaymarkBytes

/// The header before a connection's first byte in the PROXY protocol, versions 1 and 2: names the client whose
/// connection the proxy passes on. (HAProxy's proxy-protocol.txt.)
enum ProxyHeader: Equatable {
    /// - Parameters:
    ///   - source: the client; nil if the connection is the proxy's own (LOCAL), or the client is unknown or has no
    ///     IP address.
    ///   - length: bytes of the header; the bytes after it belong to the connection.
    case complete(source: IPAddress?, length: Int)
    case needMore
    case malformed

    /// The longest header of version 1, with its CRLF.
    static let longestLine = 107
    /// The longest accepted header of version 2: addresses take at most 216 bytes, and the extensions of load
    /// balancers are far smaller than the rest.
    static let longest = 4_096

    /// - Parameter bytes: the bytes received so far, from the start.
    init(_ bytes: Span<UInt8>) {
        let first = bytes.isEmpty ? 0 : bytes[0]
        switch first {
        case Self.signature.span[0]: self = Self.binary(bytes)
        case UInt8(ascii: "P"): self = Self.line(bytes)
        default: self = bytes.isEmpty ? .needMore : .malformed
        }
    }

    // MARK: Version 1

    private static func line(_ bytes: Span<UInt8>) -> ProxyHeader {
        let prefix = Array("PROXY ".utf8)
        for index in 0..<min(bytes.count, prefix.count) where bytes[index] != prefix[index] { return .malformed }
        var end = prefix.count
        while end < min(bytes.count, longestLine), bytes[end] != 0x0A { end += 1 }
        guard end < bytes.count, end < longestLine else {
            return bytes.count < longestLine ? .needMore : .malformed
        }
        guard bytes[end - 1] == 0x0D else { return .malformed }
        let words = words(bytes.extracting(prefix.count..<end - 1))
        // The specification requires that anything after this word is ignored.
        if words.first.map({ equals($0, "UNKNOWN") }) == true { return .complete(source: nil, length: end + 1) }
        guard words.count == 5, let isIPv4 = isIPv4(words[0]), let source = address(words[1], isIPv4: isIPv4),
            address(words[2], isIPv4: isIPv4) != nil, isPort(words[3]), isPort(words[4])
        else { return .malformed }
        return .complete(source: source, length: end + 1)
    }

    /// Splits at every single space, so that two in a row make an empty word.
    private static func words(_ text: Span<UInt8>) -> [[UInt8]] {
        var words: [[UInt8]] = [[]]
        for index in text.indices {
            if text[index] == 0x20 { words.append([]) } else { words[words.count - 1].append(text[index]) }
        }
        return words
    }

    private static func equals(_ word: [UInt8], _ text: String) -> Bool { word.elementsEqual(text.utf8) }

    private static func isIPv4(_ word: [UInt8]) -> Bool? {
        if equals(word, "TCP4") { return true }
        return equals(word, "TCP6") ? false : nil
    }

    private static func address(_ word: [UInt8], isIPv4: Bool) -> IPAddress? {
        guard word.contains(UInt8(ascii: ":")) != isIPv4 else { return nil }
        return IPAddress(word.span)
    }

    /// Decimal without leading zeros, at most 65,535.
    private static func isPort(_ word: [UInt8]) -> Bool {
        guard (1...5).contains(word.count), word.allSatisfy({ (0x30...0x39).contains($0) }),
            word.count == 1 || word[0] != 0x30
        else { return false }
        return word.reduce(0) { $0 * 10 + Int($1 - 0x30) } <= 65_535
    }

    // MARK: Version 2

    private static let signature: [UInt8] = [
        0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A,
    ]
    /// Signature, version and command, family and protocol, length.
    private static let fixedLength = 16

    private static func binary(_ bytes: Span<UInt8>) -> ProxyHeader {
        for index in 0..<min(bytes.count, signature.count) where bytes[index] != signature[index] { return .malformed }
        guard bytes.count >= fixedLength else { return .needMore }
        let (version, command) = (bytes[12] >> 4, bytes[12] & 0x0F)
        let length = fixedLength + Int(bytes[14]) << 8 + Int(bytes[15])
        guard version == 2, command <= 1, length <= longest else { return .malformed }
        guard bytes.count >= length else { return .needMore }
        // A health check of the proxy itself: any addresses must be ignored.
        if command == 0 { return .complete(source: nil, length: length) }
        switch bytes[13] {
        case 0x11:
            guard holdsExtensions(bytes, from: fixedLength + 12, to: length) else { return .malformed }
            return .complete(source: IPAddress(ipv4: UInt32(truncatingIfNeeded: word(bytes, 16, 4))), length: length)
        case 0x21:
            guard holdsExtensions(bytes, from: fixedLength + 36, to: length) else { return .malformed }
            return .complete(
                source: IPAddress(high: word(bytes, 16, 8), low: word(bytes, 24, 8)), length: length)
        // Families that are defined but not supported here: the connection counts as the proxy's own.
        case 0x00, 0x12, 0x22, 0x31, 0x32: return .complete(source: nil, length: length)
        default: return .malformed
        }
    }

    /// Most significant byte first.
    private static func word(_ bytes: Span<UInt8>, _ start: Int, _ count: Int) -> UInt64 {
        (0..<count).reduce(0) { $0 << 8 | UInt64(bytes[start + $1]) }
    }

    /// Whether the rest is a sequence of extensions (type, length, value). Their content is not used.
    private static func holdsExtensions(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Bool {
        var position = start
        while position < end {
            guard position + 3 <= end else { return false }
            position += 3 + Int(bytes[position + 1]) << 8 + Int(bytes[position + 2])
        }
        return position == end
    }
}
