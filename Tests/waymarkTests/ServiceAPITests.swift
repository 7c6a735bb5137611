import Foundation
import Synchronization
import Testing
import WaymarkAPI
import WaymarkClient
import WaymarkImports
import WaymarkLinks
import WaymarkTestSupport

@testable import waymark

/// Reading links from the APIs of other services, over real connections.
@Suite struct ServiceAPITests {
    /// The program's client, with pauses that are noted instead of made.
    private final class Fetching: Sendable {
        private let noted = Mutex<[Int]>([])
        private let bodyLimit: Int

        init(bodyLimit: Int = 8 << 20) { self.bodyLimit = bodyLimit }

        var pauses: [Int] { noted.withLock { $0 } }
        var connection: ServiceConnection {
            ServiceConnection(
                HTTPClient(), timeout: 20, bodyLimit: bodyLimit,
                pause: { seconds in self.noted.withLock { $0.append(seconds) } })
        }
    }

    private static let key = "s3cret-key"

    private func rows(
        _ service: ForeignService, _ server: FakeService, over fetching: Fetching = Fetching()
    ) async throws -> [SourceRow] {
        let source = try service.links(of: ServiceAccess(key: Self.key, url: server.url), over: fetching.connection)
        var rows: [SourceRow] = []
        while true {
            let batch = try await source.next()
            guard !batch.isEmpty else { return rows }
            rows += batch
        }
    }

    private func error(
        _ service: ForeignService, _ server: FakeService, over fetching: Fetching = Fetching()
    ) async -> String {
        do {
            _ = try await rows(service, server, over: fetching)
            return ""
        } catch {
            return "\(error)"
        }
    }

    // MARK: Pages

    struct Pages: Sendable, CustomTestStringConvertible {
        let service: ForeignService
        /// By what a target contains, in order.
        let answers: [(part: String, body: String)]
        let slugs: [String]
        /// What shows the key to the service.
        let proof: String

        var testDescription: String { service.rawValue }
    }

    static let pages = [
        Pages(
            service: .bitly,
            answers: [
                ("search_after=t1", #"{"links": [{"link": "https://b.io/c", "long_url": "https://c.example/"}]}"#),
                ("/groups/g2/", #"{"links": [{"link": "https://b.io/d", "long_url": "https://d.example/"}]}"#),
                (
                    "/groups/g1/",
                    #"{"links": [{"link": "https://b.io/a", "long_url": "https://a.example/"}], "pagination": {"search_after": "t1"}}"#
                ), ("/groups", #"{"groups": [{"guid": "g1"}, {"guid": "g2"}]}"#),
            ], slugs: ["a", "c", "d"], proof: "Authorization: Bearer s3cret-key"),
        Pages(
            service: .rebrandly,
            answers: [
                ("last=2", "[]"), ("last=1", #"[{"id": "2", "slashtag": "b", "destination": "https://b.example/"}]"#),
                ("/links", #"[{"id": "1", "slashtag": "a", "destination": "https://a.example/"}]"#),
            ], slugs: ["a", "b"], proof: "apikey: s3cret-key"),
        Pages(
            service: .shortio,
            answers: [
                ("/domains", #"[{"id": 7}, {"id": 8}]"#),
                ("pageToken=t1", #"{"links": [{"path": "b", "originalURL": "https://b.example/"}]}"#),
                (
                    "domain_id=7",
                    #"{"links": [{"path": "a", "originalURL": "https://a.example/"}], "nextPageToken": "t1"}"#
                ), ("domain_id=8", #"{"links": []}"#),
            ], slugs: ["a", "b"], proof: "Authorization: s3cret-key"),
        Pages(
            service: .dub,
            answers: [
                ("page=1&", #"[{"domain": "d.sh", "key": "a", "url": "https://a.example/"}]"#),
                ("page=2&", #"[{"domain": "d.sh", "key": "b", "url": "https://b.example/"}]"#), ("page=3&", "[]"),
            ], slugs: ["a", "b"], proof: "Authorization: Bearer s3cret-key"),
        Pages(
            service: .shlink,
            answers: [
                (
                    "/a/redirect-rules",
                    #"{"redirectRules": [{"longUrl": "https://i.example/", "priority": 1, "conditions": [{"type": "device", "matchValue": "ios", "matchKey": null}]}]}"#
                ),
                (
                    "page=1&",
                    #"{"shortUrls": {"data": [{"shortCode": "a", "longUrl": "https://a.example/"}], "pagination": {"pagesCount": 2}}}"#
                ),
                (
                    "page=2&",
                    #"{"shortUrls": {"data": [{"shortCode": "b", "longUrl": "https://b.example/", "hasRedirectRules": false}], "pagination": {"pagesCount": 2}}}"#
                ),
            ], slugs: ["a", "b"], proof: "X-Api-Key: s3cret-key"),
        Pages(
            service: .kutt,
            answers: [
                ("skip=0", #"{"total": 2, "data": [{"address": "a", "target": "https://a.example/"}]}"#),
                ("skip=1", #"{"total": 2, "data": [{"address": "b", "target": "https://b.example/"}]}"#),
            ], slugs: ["a", "b"], proof: "X-API-KEY: s3cret-key"),
        Pages(
            service: .yourls,
            answers: [
                (
                    "start=0",
                    #"{"links": {"link_2": {"shorturl": "https://y.io/b", "url": "https://b.example/"}, "link_1": {"shorturl": "https://y.io/a", "url": "https://a.example/"}}}"#
                )
            ], slugs: ["a", "b"], proof: "signature=s3cret-key"),
    ]

    @Test(arguments: pages) func everyPageIsReadOnce(_ pages: Pages) async throws {
        let server = try FakeService { target, _ in
            .json(pages.answers.first { target.contains($0.part) }?.body ?? "{}")
        }
        let rows = try await rows(pages.service, server)
        #expect(rows.map(\.link.address.slug) == pages.slugs)
        #expect(rows.map(\.number) == Array(1...pages.slugs.count))
        #expect(rows.allSatisfy { $0.link.draft.urls["web"] != nil && $0.link.refusal == nil })
        #expect(server.requests.allSatisfy { $0.contains(pages.proof) })
        #expect(Set(server.targets).count == server.targets.count)
        if pages.service == .shlink { #expect(rows[0].link.draft.rules.map(\.to) == [.url("https://i.example/")]) }
    }

    @Test func aListOfBranchURLsIsAskedForOneByOne() async throws {
        let server = try FakeService { target, _ in
            target.contains("missing")
                ? .json("{}", status: 404)
                : .json(##"{"data": {"$desktop_url": "https://a.example/", "~campaign": "x"}}"##)
        }
        let lookup = try ForeignService.branch.branchLookup(
            ServiceAccess(key: Self.key, url: server.url), ForeignTime(), over: Fetching().connection)
        let text = "https://x.app.link/a\n\n\"https://x.app.link/missing\"\n"
        let source = try await ForeignService.branch.links(
            in: [
                ForeignFile(name: "urls.txt") {
                    var rest = Array(text.utf8)
                    return {
                        defer { rest = [] }
                        return rest
                    }
                }
            ], branchLinks: lookup)
        let rows = try await source.next()
        #expect(rows.map(\.link.address.slug) == ["a", "missing"])
        #expect(rows[0].link.branch?["$desktop_url"] == "https://a.example/" && rows[0].link.refusal == nil)
        #expect(rows[1].link.refusal != nil)
        #expect(server.targets[0].contains("branch_key=s3cret-key"))
        #expect(server.targets[0].contains("url=https%3A%2F%2Fx.app.link%2Fa"))
    }

    private func source(_ service: ForeignService, _ server: FakeService) throws -> any LinkSource {
        try service.links(of: ServiceAccess(key: Self.key, url: server.url), over: Fetching().connection)
    }

    private func slugs(_ source: any LinkSource) async throws -> [String] {
        var slugs: [String] = []
        while case let rows = try await source.next(), !rows.isEmpty { slugs += rows.map(\.link.address.slug) }
        return slugs
    }

    @Test(
        arguments: [
            (200, ["all"], false), (401, ["own"], true), (403, ["own"], true), (404, ["own"], true),
        ])
    func linksOfAllUsersOfKuttAreReadWhereTheKeyMay(status: Int, found: [String], isNoted: Bool) async throws {
        let server = try FakeService { target, _ in
            target.hasPrefix("/api/v2/links/admin?")
                ? .json(
                    #"{"total": 1, "data": [{"address": "all", "target": "https://a.example/", "visit_count": "1,234"}]}"#,
                    status: status)
                : .json(#"{"total": 1, "data": [{"address": "own", "target": "https://a.example/"}]}"#)
        }
        let source = try source(.kutt, server)
        #expect(try await slugs(source) == found)
        #expect(source.notes.contains { $0.contains("links of all users") } == isNoted)
    }

    @Test func everyWorkspaceOfRebrandlyIsRead() async throws {
        let server = try FakeService { target, number in
            if target.contains("/workspaces") { return .json(#"[{"id": "w1"}, {"id": "w2"}]"#) }
            if target.contains("last=") { return .json("[]") }
            return .json(#"[{"id": "\#(number)", "slashtag": "s\#(number)", "destination": "https://a.example/"}]"#)
        }
        #expect(try await slugs(source(.rebrandly, server)) == ["s1", "s3"])
        #expect(server.requests.map { $0.contains("workspace: w1") } == [false, true, true, false, false])
        #expect(server.requests.map { $0.contains("workspace: w2") } == [false, false, false, true, true])
    }

    @Test func aKeyOfRebrandlyWithoutWorkspacesReadsItsOwn() async throws {
        let server = try FakeService { target, _ in
            if target.contains("/workspaces") { return .json("{}", status: 403) }
            if target.contains("last=") { return .json("[]") }
            return .json(#"[{"id": "1", "slashtag": "a", "destination": "https://a.example/"}]"#)
        }
        let source = try source(.rebrandly, server)
        #expect(try await slugs(source) == ["a"])
        #expect(source.notes.contains { $0.contains("only links of its own workspace") })
    }

    @Test(
        arguments: [
            (
                ForeignService.shlink, "/rest/v3/domains",
                #"{"domains": {"data": [{"domain": "s.example.com", "redirects": {"baseUrlRedirect": "https://home.example/", "regular404Redirect": null, "invalidShortUrlRedirect": "https://x.example/"}}]}}"#,
                [
                    "s.example.com leads to https://home.example/: set onRoot",
                    "s.example.com leads to https://x.example/: set onUnknown and onExpired",
                ]
            ),
            (
                .shortio, "/domains", #"[{"id": 7, "hostname": "s.example.com", "redirect404": "https://x.example/"}]"#,
                ["s.example.com leads to https://x.example/: set onUnknown"]
            ),
        ] as [(ForeignService, String, String, [String])])
    func `the redirects of a domain become notes`(
        service: ForeignService, path: String, domains: String, notes: [String]
    ) async throws {
        let server = try FakeService { target, _ in
            if target.contains(path) { return .json(domains) }
            return .json(
                service == .shlink
                    ? #"{"shortUrls": {"data": [{"shortCode": "a", "longUrl": "https://a.example/", "hasRedirectRules": false}], "pagination": {"pagesCount": 1}}}"#
                    : #"{"links": [{"path": "a", "originalURL": "https://a.example/"}]}"#)
        }
        let source = try source(service, server)
        #expect(try await slugs(source) == ["a"])
        #expect(source.notes == notes.map { $0 + " of the application" })
    }

    // MARK: Failures

    @Test(
        arguments: [
            FakeService.Answer.json("{}", status: 500), .json("{}", status: 503), .json("{]"),
            .json("<html>", status: 502),
            .text("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n[{"), .text("HTTP/1.1 200"), .text("hello\r\n\r\n"),
        ])
    func aFailureForAMomentIsRetried(_ failure: FakeService.Answer) async throws {
        let server = try FakeService { _, number in
            switch number {
            case 0, 1: failure
            case 2: .json(#"[{"domain": "d.sh", "key": "a", "url": "https://a.example/"}]"#)
            default: .json("[]")
            }
        }
        let fetching = Fetching()
        #expect(try await rows(.dub, server, over: fetching).count == 1)
        #expect(fetching.pauses == [1, 2])
    }

    @Test(
        arguments: [
            ("7", [7]), ("0", [1]), ("-5", [5]), ("Thu, 01 Jan 1970 00:00:10 GMT", [1]), ("soon", [5]),
        ])
    func aServiceThatAsksToWaitIsWaitedFor(value: String, pauses: [Int]) async throws {
        let server = try FakeService { _, number in
            number == 0 ? .json("{}", status: 429, fields: ["Retry-After: \(value)"]) : .json("[]")
        }
        let fetching = Fetching()
        #expect(try await rows(.dub, server, over: fetching).isEmpty)
        #expect(fetching.pauses == pauses)
    }

    @Test func aServiceThatAsksToWaitForADayIsGivenUp() async throws {
        let server = try FakeService { _, _ in .json("{}", status: 429, fields: ["Retry-After: 86400"]) }
        let fetching = Fetching()
        let error = await error(.dub, server, over: fetching)
        #expect(error.contains("429") && fetching.pauses.isEmpty && server.requests.count == 1)
    }

    @Test func aServiceThatAlwaysFailsIsGivenUp() async throws {
        let server = try FakeService { _, _ in .json("{}", status: 500) }
        let fetching = Fetching()
        #expect(await error(.dub, server, over: fetching).contains("500"))
        #expect(server.requests.count == 6 && fetching.pauses == [1, 2, 4, 8, 16])
    }

    @Test(
        arguments: [ForeignService.bitly, .rebrandly, .shortio, .dub, .shlink, .kutt, .yourls],
        [
            (401, "refuses the API key"), (403, "refuses the API key"), (400, "answered 400"), (302, "redirects"),
            (500, "answered 500"), (200, "answer"),
        ])
    func errorsAreClearAndNeverShowTheKey(service: ForeignService, failure: (status: Int, text: String)) async throws {
        let elsewhere = try FakeService { _, _ in .json("[]") }
        let server = try FakeService { target, _ in
            .json(
                #"{"message": "bad key s3cret-key at \#(target)"}"#, status: failure.status,
                fields: ["Location: \(elsewhere.url)/"])
        }
        let error = await error(service, server)
        #expect(error.contains(failure.text) && !error.contains(Self.key), "\(error)")
        #expect(elsewhere.requests.isEmpty)
    }

    @Test func aHugeAnswerIsAskedForOnce() async throws {
        let server = try FakeService { _, _ in .json("[\"" + String(repeating: "x", count: 200_000) + "\"]") }
        let error = await error(.dub, server, over: Fetching(bodyLimit: 100_000))
        #expect(error.contains("too large") && server.requests.count == 1)
    }

    @Test(arguments: [ForeignService.dub, .rebrandly, .shortio, .bitly, .kutt, .shlink])
    func endlessPagesEnd(service: ForeignService) async throws {
        let server = try FakeService { target, number in
            if target.contains("/domains") { return .json(#"[{"id": 7}]"#) }
            if target.hasSuffix("/groups") { return .json(#"{"groups": [{"guid": "g"}]}"#) }
            let link =
                #"{"id": "\#(number % 2)", "link": "https://b.io/a", "long_url": "https://a.example/", "path": "a", "key": "a", "slashtag": "a", "address": "a", "shortCode": "a", "hasRedirectRules": false}"#
            return switch service {
            case .dub, .rebrandly: .json("[\(link)]")
            case .kutt: .json(#"{"data": [\#(link)]}"#)
            case .shlink:
                .json(#"{"shortUrls": {"data": [\#(link)], "pagination": {"pagesCount": 1000000}}}"#)
            default:
                .json(
                    #"{"links": [\#(link)], "nextPageToken": "\#(number % 2)", "pagination": {"search_after": "\#(number % 2)"}}"#
                )
            }
        }
        #expect(await error(service, server).contains("same page"))
        #expect(server.requests.count < 10)
    }

    @Test func endlessEmptyPagesEnd() async throws {
        let server = try FakeService { target, number in
            target.contains("/domains")
                ? .json(#"[{"id": 7}]"#) : .json(#"{"links": [], "nextPageToken": "\#(number)"}"#)
        }
        #expect(await error(.shortio, server).contains("empty pages"))
    }
}
