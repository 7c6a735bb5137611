import Testing
import WaymarkBytes
import WaymarkSockets

@testable import WaymarkServer

/// The PROXY protocol's two headers.
@Suite struct ProxyHeaderTests {
    private func read(_ bytes: [UInt8]) -> ProxyHeader { ProxyHeader(bytes.span) }

    static func binary(
        command: UInt8 = 0x21, family: UInt8 = 0x11,
        addresses: [UInt8] = [192, 0, 2, 1, 10, 0, 0, 1, 0x30, 0x39, 0, 80],
        extensions: [UInt8] = [], length: Int? = nil
    ) -> [UInt8] {
        let count = length ?? addresses.count + extensions.count
        return [0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A, command, family]
            + [UInt8(count >> 8), UInt8(count & 255)] + addresses + extensions
    }

    private static let ipv6: [UInt8] =
        [0x20, 0x01, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11) + [1] + [UInt8](repeating: 9, count: 16)
        + [0x30, 0x39, 0, 80]

    /// With the source that is expected; nil where the header names none.
    private static let good: [(header: [UInt8], source: String?)] = [
        (Array("PROXY TCP4 192.0.2.1 10.0.0.1 12345 80\r\n".utf8), "192.0.2.1"),
        (Array("PROXY TCP4 255.255.255.255 255.255.255.255 65535 65535\r\n".utf8), "255.255.255.255"),
        (Array("PROXY TCP6 2001:db8::1 ::1 0 80\r\n".utf8), "2001:db8::1"),
        (
            Array(
                "PROXY TCP6 ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff 65535 65535\r\n"
                    .utf8), "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"
        ),
        (Array("PROXY UNKNOWN\r\n".utf8), nil),
        (Array("PROXY UNKNOWN whatever stands here\r\n".utf8), nil),
        (binary(), "192.0.2.1"),
        (binary(family: 0x21, addresses: ipv6), "2001:db8::1"),
        (binary(extensions: [0x01, 0, 2, 0x68, 0x32, 0x04, 0, 0]), "192.0.2.1"),
        (
            binary(extensions: [0xE0] + [UInt8(3_000 >> 8), UInt8(3_000 & 255)] + [UInt8](repeating: 7, count: 3_000)),
            "192.0.2.1"
        ),
        (binary(command: 0x20, family: 0x00, addresses: []), nil),
        (binary(command: 0x20), nil),
        (binary(command: 0x20, family: 0x77, addresses: [1, 2, 3]), nil),
        (binary(family: 0x00, addresses: [1, 2, 3]), nil),
        (binary(family: 0x12), nil),
        (binary(family: 0x31, addresses: [UInt8](repeating: 0, count: 216)), nil),
    ]

    @Test(arguments: good.indices)
    func readsTheHeaderWhateverItsPieces(case index: Int) {
        let (header, source) = Self.good[index]
        let expected = ProxyHeader.complete(source: source.flatMap { IPAddress($0) }, length: header.count)
        #expect(read(header) == expected)
        let more = header + Array("GET / HTTP/1.1\r\n".utf8)
        #expect(read(more) == expected)
        for count in 0..<header.count {
            #expect(read(Array(header.prefix(count))) == .needMore, "after \(count) bytes")
        }
    }

    private static let bad: [[UInt8]] = [
        Array("GET / HTTP/1.1\r\n".utf8), Array("proxy UNKNOWN\r\n".utf8), Array("PROXY  UNKNOWN\r\n".utf8),
        Array("PROXY UNKNOWN\n".utf8), Array("PROXY TCP4 192.0.2.1 10.0.0.1 12345 80\n".utf8),
        Array("PROXY TCP4 192.0.2.1 10.0.0.1 12345\r\n".utf8),
        Array("PROXY TCP4 192.0.2.1  10.0.0.1 12345 80\r\n".utf8),
        Array("PROXY TCP4 192.0.2.1 10.0.0.1 12345 80 \r\n".utf8),
        Array("PROXY TCP4 192.0.2.1 10.0.0.1 65536 80\r\n".utf8),
        Array("PROXY TCP4 192.0.2.1 10.0.0.1 012 80\r\n".utf8), Array("PROXY TCP4 192.0.2.1 10.0.0.1 +12 80\r\n".utf8),
        Array("PROXY TCP4 192.0.2.256 10.0.0.1 12345 80\r\n".utf8), Array("PROXY TCP4 ::1 ::1 12345 80\r\n".utf8),
        Array("PROXY TCP6 192.0.2.1 10.0.0.1 12345 80\r\n".utf8),
        Array("PROXY TCP5 192.0.2.1 10.0.0.1 12345 80\r\n".utf8),
        Array("PROXY TCP4 a b 12345 80\r\n".utf8), Array("PROXY \r\n".utf8),
        Array("PROXY UNKNOWN \(String(repeating: "x", count: 107))".utf8),
        binary(command: 0x11), binary(command: 0x22), binary(command: 0x31), binary(family: 0x13), binary(family: 0x41),
        binary(family: 0x11, addresses: [192, 0, 2, 1, 10, 0, 0, 1]), binary(family: 0x21),
        binary(extensions: [0x01, 0, 9, 0x68]), binary(extensions: [0x01, 0]),
        binary(addresses: [], length: 65_535), binary(addresses: [], length: 4_097),
        [0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0B], [0x16, 0x03, 0x01],
    ]

    @Test(arguments: bad.indices)
    func refusesEverythingElse(case index: Int) {
        #expect(read(Self.bad[index]) == .malformed, "\(String(decoding: Self.bad[index], as: UTF8.self))")
    }

    @Test func waitsForNoMoreThanTheLongestLine() {
        let endless = Array(("PROXY UNKNOWN " + String(repeating: "x", count: 200)).utf8)
        #expect(read(Array(endless.prefix(106))) == .needMore)
        #expect(read(Array(endless.prefix(107))) == .malformed)
    }
}
