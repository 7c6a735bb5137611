import Testing
import WaymarkBytes
import WaymarkClient
import WaymarkSockets

@Suite struct AddressRuleTests {
    @Test(arguments: [
        "127.0.0.1", "127.255.255.254", "0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.127.255.255",
        "169.254.169.254",
        "172.16.0.1", "172.31.255.255", "192.168.1.1", "192.0.0.1", "192.0.2.1", "198.18.0.1", "198.51.100.1",
        "203.0.113.1",
        "224.0.0.1", "239.1.1.1", "240.0.0.1", "255.255.255.255", "::", "::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1",
        "::127.0.0.1", "fc00::1", "fd12:3456::1", "fe80::1", "fec0::1", "ff02::1", "2001:db8::1", "2001::1", "3fff::1",
        "64:ff9b::7f00:1", "64:ff9b::a00:1", "64:ff9b:1::1", "2002:7f00:1::1", "2002:c0a8:101::", "100::1", "4000::1",
    ])
    func forbidsAddressesThatAreNotPublic(text: String) throws {
        #expect(!AddressRule().allows(try #require(IPAddress(text))))
    }

    @Test(arguments: [
        "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "172.15.255.255", "172.32.0.0",
        "192.167.255.255", "223.255.255.255", "2606:4700::1111", "2a00:1450:4001::1", "64:ff9b::101:101",
        "2002:101:101::1",
    ])
    func allowsPublicAddresses(text: String) throws {
        #expect(AddressRule().allows(try #require(IPAddress(text))))
    }

    @Test func allowsNetworksOfTheOperator() throws {
        let rule = AddressRule(allowedNetworks: [try #require(NetworkPrefix("10.1.0.0/16"))])
        #expect(rule.allows(try #require(IPAddress("10.1.2.3"))))
        #expect(!rule.allows(try #require(IPAddress("10.2.0.1"))))
        #expect(rule.isInAllowedNetwork(try #require(IPAddress("10.1.2.3"))))
        #expect(!rule.isInAllowedNetwork(try #require(IPAddress("1.1.1.1"))))
    }
}
