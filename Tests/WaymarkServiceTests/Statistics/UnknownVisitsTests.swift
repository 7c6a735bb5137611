import Foundation
import Testing

@testable import WaymarkStores

/// Visits of addresses that no link has.
@Suite struct UnknownVisitsTests {
    @Test func keepsTheMostVisitedAddresses() throws {
        var visits = UnknownVisits()
        for _ in 0..<3 { visits.add(ClickCount(people: 1), of: "go.example.com/often") }
        for number in 0..<10_000 { visits.add(ClickCount(bots: 1), of: "go.example.com/\(number)") }
        #expect(visits.counts.count < 2 * UnknownVisits.addressLimit)
        let stored = try UnknownVisits(encoded: visits.encoded)
        #expect(stored.counts.count == UnknownVisits.addressLimit)
        #expect(stored.counts.first { $0.address == "go.example.com/often" }?.count.people == 3)
        let more = try UnknownVisits(encoded: visits.added(to: visits.encoded))
        #expect(more.counts.count == UnknownVisits.addressLimit)
        #expect(more.counts.first { $0.address == "go.example.com/often" }?.count.people == 6)
    }

    @Test func `probes leave room for other addresses`() throws {
        var visits = UnknownVisits()
        for number in 0..<1_500 {
            for _ in 0..<2 { visits.add(ClickCount(bots: 1), of: "go.example.com/wp-content/\(number).php") }
        }
        for number in 0..<900 { visits.add(ClickCount(people: 1), of: "go.example.com/typo-\(number)") }
        let stored = try UnknownVisits(encoded: visits.encoded)
        #expect(stored.counts.count == UnknownVisits.addressLimit)
        #expect(stored.counts.count { ProbePath.contains(address: $0.address) } == UnknownVisits.probeLimit)
    }

    @Test(arguments: [
        "favicon.ico", "apple-touch-icon.png", "apple-touch-icon-120x120-precomposed.png", "ads.txt", "app-ads.txt",
        "ADS.TXT", "xmlrpc.php", "wp-login.php", "wp-content/plugins/x.php", "wp-json/wp/v2/users", ".env",
        ".git/config",
        ".well-known/security.txt", "app/.aws/credentials", "phpMyAdmin/index", "cgi-bin/x", "HNAP1", "old/config.yml",
        "robots.txt", "sitemap.xml", "WEB-INF/web.xml",
    ])
    func `icons and scanners' paths are probes`(path: String) {
        #expect(ProbePath.contains(path))
        #expect(ProbePath.contains(address: "go.example.com/" + path))
    }

    @Test(arguments: [
        "sommer-sale", "summer-sale.", "spring/sale", "wpx", "vendor/acme", "ads", "v1.2", "php", "envelope",
        "git/config", "",
        "a.b/c", "solr-guide",
    ])
    func `other paths are no probes`(path: String) {
        #expect(!ProbePath.contains(path))
        #expect(!ProbePath.contains(address: "wp-shop.example.com/" + path))
    }

    @Test func `the guide lists all probes`() throws {
        let root = try #require(#filePath.firstRange(of: "/Tests/").map { #filePath[..<$0.lowerBound] })
        let guide = try String(contentsOfFile: root + "/docs/guide/clicks.md", encoding: .utf8)
        let section = try #require(guide.firstRange(of: "### Probes").map { guide[$0.upperBound...] })
        for text in Array(ProbePath.names) + ProbePath.prefixes + Array(ProbePath.folders) + ProbePath.suffixes {
            #expect(section.contains("`\(text)`"), "\(text)")
        }
    }

    @Test func leavesOutLongAddresses() throws {
        var visits = UnknownVisits()
        visits.add(ClickCount(people: 1), of: String(repeating: "x", count: UnknownVisits.addressLength + 1))
        #expect(visits.counts.isEmpty)
        #expect(!visits.isEmpty)
    }

    @Test(arguments: [[], [2], [1, 9], [1, 1, 2, 65, 1, 0, 0, 0, 7]] as [[UInt8]])
    func refusesDamagedRows(bytes: [UInt8]) {
        #expect(throws: StoreError.self) { try UnknownVisits(encoded: bytes) }
    }
}
