import Testing
import WaymarkBytes

@Suite struct IPAddressTests {
    @Test(arguments: [
        ("127.0.0.1", "127.0.0.1", true), ("127.255.0.9", "127.255.0.9", true), ("::1", "::1", true),
        ("192.0.2.1", "192.0.2.1", false), ("2001:DB8:0:0::1", "2001:db8::1", false), ("::", "::", false),
        // An IPv4 client on a dual-stack socket is the same client.
        ("::ffff:127.0.0.1", "127.0.0.1", true), ("0.0.0.0", "0.0.0.0", false),
        ("255.255.255.255", "255.255.255.255", false), ("10.0.100.7", "10.0.100.7", false),
        ("1.20.103.209", "1.20.103.209", false), ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8", false),
        ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0", false), ("::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8", false),
        ("64:ff9b::192.0.2.33", "64:ff9b::c000:221", false), ("1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304", false),
        ("2001:0:0:1:0:0:0:1", "2001:0:0:1::1", false), ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1", false),
        ("fe80:0000::00aB", "fe80::ab", false),
    ])
    func readsAddresses(text: String, canonical: String, isLoopback: Bool) throws {
        let address = try #require(IPAddress(text))
        #expect(address.text == canonical)
        #expect(address.isLoopback == isLoopback)
        #expect(IPAddress(canonical) == address)
        let bytes = Array(text.utf8)
        let received = IPAddress(bytes.span)
        #expect(received == address)
    }

    @Test(arguments: [
        "", "1", "x", "1.2.3", "1.2.3.4.5", "256.0.0.1", "1.2.3.1000", "01.2.3.4", "1.2.3.00", "1.2.3.4 ", "1..2.3",
        "1.2.3.",
        "localhost", "::1%lo", "[::1]", "1.2.3.4\0", "::1\0x", ":", ":::", "1:::2", ":1::", "1:", "1::2:", "1::2::3",
        "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8::", "::1:2:3:4:5:6:7:8", "12345::", "::g", "1.2.3.4::",
        "::1.2.3", "::1.2.3.4:5", "1:2:3:4:5:6:7:1.2.3.4", "é::",
    ])
    func refusesWhatIsNoAddress(text: String) {
        #expect(IPAddress(text) == nil)
        let bytes = Array(text.utf8)
        let received = IPAddress(bytes.span)
        #expect(received == nil)
    }

    @Test func anIPv4AddressIsNoIPv6Address() {
        #expect(IPAddress(ipv6: "192.0.2.1") == nil)
        #expect(IPAddress(ipv6: "::ffff:192.0.2.1")?.ipv6Text == "::ffff:c000:201")
    }

    @Test func everyAddressComesBack() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            // Many groups of zeros.
            let mask = UInt64.random(in: .min ... .max, using: &random)
            let halves = (0..<2).map { half in
                (0..<4).reduce(UInt64(0)) { word, group in
                    let value = mask >> UInt64(half * 4 + group) & 1 == 0 ? 0 : UInt64.random(in: 0...0xFFFF)
                    return word << 16 | value
                }
            }
            let address = IPAddress(high: halves[0], low: halves[1])
            #expect(IPAddress(address.text) == address)
            #expect(IPAddress(ipv6: address.ipv6Text) == address)
        }
    }
}
