import Testing
import WaymarkSockets

@Suite struct AddressTests {
    @Test(arguments: [
        ("127.0.0.1", "127.0.0.1", true), ("127.255.0.9", "127.255.0.9", true), ("::1", "::1", true),
        ("192.0.2.1", "192.0.2.1", false), ("2001:DB8:0:0::1", "2001:db8::1", false), ("::", "::", false),
        // An IPv4 client on a dual-stack socket is the same client.
        ("::ffff:127.0.0.1", "127.0.0.1", true), ("0.0.0.0", "0.0.0.0", false),
        ("255.255.255.255", "255.255.255.255", false), ("10.0.100.7", "10.0.100.7", false),
        ("1.20.103.209", "1.20.103.209", false),
    ])
    func readsAddresses(text: String, canonical: String, isLoopback: Bool) throws {
        let address = try #require(IPAddress(text))
        #expect(address.text == canonical)
        #expect(address.isLoopback == isLoopback)
        #expect(IPAddress(canonical) == address)
    }

    @Test(arguments: [
        "", "1.2.3", "1.2.3.4.5", "256.0.0.1", "01.2.3.4 ", "localhost", "::1%lo", "[::1]", "1.2.3.4\0", "::1\0x",
        ":::",
    ])
    func refusesWhatIsNoAddress(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test(arguments: [
        ("127.0.0.1:8080", "127.0.0.1", 8080), ("[::1]:0", "::1", 0), ("localhost:65535", "localhost", 65_535),
        ("my-host_1.example:80", "my-host_1.example", 80), ("0.0.0.0:00080", "0.0.0.0", 80),
    ])
    func readsListenAddresses(text: String, host: String, port: UInt16) throws {
        let address = try #require(HostAndPort(text))
        #expect(address.host == host)
        #expect(address.port == port)
    }

    @Test(arguments: [
        "", ":", "8080", ":8080", "localhost", "localhost:", "localhost:65536", "localhost:-1", "localhost:+80",
        "localhost:8o", "::1:8080", "[::1]", "[::1]8080", "[localhost]:80", "[127.0.0.1]:80", "a b:80", "host/:80",
        "localhost:123456", "é:80",
    ])
    func refusesOtherListenAddresses(text: String) {
        #expect(HostAndPort(text) == nil)
    }

    @Test func writesListenAddressesTheWayItReadsThem() {
        #expect(HostAndPort("[::1]:80")?.description == "[::1]:80")
        #expect(HostAndPort("localhost:80")?.description == "localhost:80")
    }

    @Test func findsTheAddressesOfAName() throws {
        let addresses = try HostAndPort(host: "localhost", port: 7).resolve()
        #expect(addresses.allSatisfy { $0.address.isLoopback && $0.port == 7 })
        #expect(Set(addresses).count == addresses.count)
        #expect(throws: BindError.unknownHost("no-such-host.invalid")) {
            try HostAndPort(host: "no-such-host.invalid", port: 7).resolve()
        }
    }
}
