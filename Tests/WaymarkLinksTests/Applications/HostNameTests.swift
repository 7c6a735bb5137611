import Testing

@testable import WaymarkLinks

@Suite struct HostNameTests {
    @Test(arguments: [
        ("go.example.com", "go.example.com"), ("GO.Example.COM.", "go.example.com"), ("localhost", "localhost"),
        ("xn--bcher-kva.example", "xn--bcher-kva.example"), ("127.0.0.1", "127.0.0.1"), ("[::1]", "[::1]"),
        ("::1", "[::1]"), ("[2001:DB8:0:0:0:0:0:1]", "[2001:db8::1]"), ("::ffff:192.0.2.1", "[::ffff:c000:201]"),
        ("2001:db8:0:0:1:0:0:1", "[2001:db8::1:0:0:1]"), ("::", "[::]"), ("1.example", "1.example"),
        ("a-b.9-z.Example", "a-b.9-z.example"), ("a.0b.", "a.0b"),
        ("1:2:3:4:5:6:7:8", "[1:2:3:4:5:6:7:8]"), ("1:0:3:4:5:6:7:8", "[1:0:3:4:5:6:7:8]"),
    ])
    func readsNamesAndAddressesInOneSpelling(_ given: String, _ text: String) throws {
        #expect(try #require(HostName(given)).text == text)
    }

    @Test(arguments: [
        "", ".", "a..b", "-a.example", "a-.example", "a_b.example", "a.-b.example",
        "a.b-.example", "a.b-", "-", "bücher.example", "a b", "a/b", "a@b", "a:80",
        "1.2.3",
        "1.2.3.4.5", "256.1.1.1", "01.2.3.4", "0x7f.0.0.1", "0x7f.1", "1.2.3.4.", "[::1", "::1]", "[:1]", "1::2::3",
        "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "12345::", "fe80::1%eth0", "[]", "example.com\0", "example.com\r\n",
        String(repeating: "a", count: 64) + ".example",
        Array(repeating: "abcdefghi", count: 26).joined(separator: "."),
    ])
    func refusesWhatIsNoHost(_ text: String) {
        #expect(HostName(text) == nil)
    }

    @Test(arguments: [
        ("go.example.com:8080", "go.example.com"), ("GO.example.com", "go.example.com"), ("[::1]:443", "[::1]"),
        ("[::1]", "[::1]"), ("localhost:", "localhost"), ("127.0.0.1:1", "127.0.0.1"), ("a.example.:80", "a.example"),
    ])
    func dropsThePortOfAHostHeader(_ value: String, _ text: String) throws {
        #expect(try #require(HostName(hostHeader: value)).text == text)
    }

    @Test(arguments: ["", ":80", "a:b", "a:99999", "a:0", "a:80:80", "::1", "a@b:80", "[::1]x", "a:-1", "a:8 0"])
    func refusesABrokenHostHeader(_ value: String) {
        #expect(HostName(hostHeader: value) == nil)
    }
}
