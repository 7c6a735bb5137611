import Testing

@testable import WaymarkLinks

@Suite struct HostSetTests {
    private static func set(_ patterns: String...) throws -> HostSet {
        HostSet(try patterns.map { try #require(HostPattern($0)) })
    }

    /// What is in a set of `bad.example`, `*.wild.example`, `both.example`, `*.both.example`, an IPv4 and an IPv6 address.
    @Test(arguments: [
        ("bad.example", true), ("BAD.Example.", true), ("a.bad.example", false), ("xbad.example", false),
        ("example", false), ("bad.example.com", false),
        ("wild.example", false), ("a.wild.example", true), ("a.b.wild.example", true), ("awild.example", false),
        ("both.example", true), ("x.both.example", true), ("192.0.2.1", true), ("2.1", false), ("192.0.2.11", false),
        ("[2001:DB8::0:1]", true), ("2001:db8::2", false),
    ])
    func holdsHostsAndWhatIsBelowDomains(host: String, isIn: Bool) throws {
        let hosts = try Self.set(
            "bad.example", "*.wild.example", "both.example", "*.both.example", "192.0.2.1", "2001:db8::1")
        guard let host = HostName(host) else { return #expect(!isIn) }
        #expect(hosts.contains(host) == isIn)
        #expect(hosts.count == 5)
        #expect(!HostSet().contains(host))
    }

    /// Against a plain set, through every growth of the table.
    @Test func agreesWithAPlainSet() throws {
        var random = RepeatableRandom(state: 11)
        var hosts = HostSet()
        var plain: Set<HostPattern> = []
        func label() -> String { ["a", "b", "cd", "e-f", "g1", "xn--p1ai"][Int.random(in: 0..<6, using: &random)] }
        func name() -> String {
            (0..<Int.random(in: 2...6, using: &random)).map { _ in label() }.joined(separator: ".")
        }
        for _ in 0..<4_000 {
            let pattern = try #require(HostPattern((Bool.random(using: &random) ? "*." : "") + name()))
            hosts.insert(pattern)
            plain.insert(pattern)
        }
        #expect(hosts.count == Set(plain.map(\.host)).count)
        for _ in 0..<4_000 {
            let host = try #require(HostName(name()))
            #expect(hosts.contains(host) == plain.contains { $0.holds(host) }, "\(host.text)")
        }
    }
}
