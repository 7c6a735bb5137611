import Testing
import WaymarkHTTP

@Suite struct HostCharacterTests {
    /// RFC 3986 section 3.2.2: `unreserved` and `sub-delims`.
    private static let allowed = Set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+,;=".utf8)

    /// A host is read in steps of several bytes: each byte must be seen, wherever it stands.
    @Test(arguments: [1, 7, 8, 9, 15, 16, 17, 21])
    func aHostHoldsOnlyWhatANameMayHold(_ length: Int) {
        let head = RequestHead()
        let front = Array("GET /a HTTP/1.1\r\nHost: ".utf8)
        let back = Array("\r\nAccept: */*\r\n\r\n".utf8)
        for index in 0..<length {
            for byte in UInt8.min ... .max {
                var host = [UInt8](repeating: UInt8(ascii: "a"), count: length)
                host[index] = byte
                // White space around a value is no part of it, a colon begins a port, and `%aa` is fine.
                if byte == 0x20 || byte == 0x09 || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "%") { continue }
                let bytes = front + host + back
                var parser = RequestParser()
                let outcome = parser.parse(bytes.span, into: head)
                #expect((outcome == .head(length: bytes.count)) == Self.allowed.contains(byte), "\(byte) at \(index)")
                if Self.allowed.contains(byte) { #expect(head.host == ByteRange(front.count, front.count + length)) }
            }
        }
    }
}
