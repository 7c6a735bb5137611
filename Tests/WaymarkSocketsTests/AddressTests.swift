import Testing
import WaymarkBytes
import WaymarkSockets

@Suite struct AddressTests {
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
