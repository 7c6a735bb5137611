import Testing
import WaymarkBytes
import WaymarkSockets

@Suite struct NetworkPrefixTests {
    @Test(arguments: [
        ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.0", false), ("0.0.0.0/0", "203.0.113.9", true),
        ("0.0.0.0/0", "2001:db8::1", false), ("192.0.2.7", "192.0.2.7", true), ("192.0.2.7", "192.0.2.8", false),
        ("192.0.2.6/31", "192.0.2.7", true), ("192.0.2.6/31", "192.0.2.8", false),
        ("2001:db8::/32", "2001:db8:ffff::1", true), ("2001:db8::/32", "2001:db9::1", false),
        ("2001:db8:0:1::/64", "2001:db8:0:1:ffff::1", true), ("2001:db8:0:1::/64", "2001:db8:0:2::", false),
        ("2001:db8::8000:0/97", "2001:db8::ffff:1", true), ("2001:db8::8000:0/97", "2001:db8::7fff:1", false),
        ("::1", "::1", true), ("::/0", "2001:db8::1", true), ("::ffff:192.0.2.0/120", "192.0.2.99", true),
        ("10.0.0.0/8", "::ffff:10.1.2.3", true),
    ])
    func holdsTheAddressesOfItsNetwork(prefix: String, address: String, isHeld: Bool) throws {
        let prefix = try #require(NetworkPrefix(prefix))
        #expect(prefix.contains(try #require(IPAddress(address))) == isHeld)
    }

    @Test(arguments: [
        "", "/", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/08", "10.0.0.0/8/8", "10.0.0/8",
        "10.0.0.1/8", "2001:db8::/129", "2001:db8::1/32", "[2001:db8::]/32", "localhost", "10.0.0.0/8 ", " ::1",
        "fe80::1%eth0", "10.0.0.0/255.0.0.0",
    ])
    func refusesWhatIsNoNetwork(text: String) {
        #expect(NetworkPrefix(text) == nil)
    }

    @Test(arguments: ["10.0.0.0/8", "192.0.2.7", "2001:db8::/32", "::1", "0.0.0.0/0", "::/0"])
    func `a prefix is written as it is read`(text: String) {
        #expect(NetworkPrefix(text)?.description == text)
    }
}
