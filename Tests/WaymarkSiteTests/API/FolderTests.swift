import Testing
import WaymarkHTTP
import WaymarkJSON

@testable import WaymarkSite

/// `folder` of links: as a condition, as a patch of many, and counted by `GET /api/v1/folders`.
@Suite struct FolderTests {
    private static let links = [
        ("a", "shop", "spring"), ("b", "shop", "spring/mail"), ("c", "shop", "spring/mail"),
        ("d", "shop", "springtime"),
        ("e", "news", "spring/mail"),
    ]

    private static func fill(_ fixture: SiteFixture) async throws {
        for (slug, app, folder) in links {
            _ = try await fixture.create(
                #"{"app": "\#(app)", "slug": "\#(slug)", "folder": "\#(folder)", "urls": {"web": "https://a.example"}}"#
            )
        }
    }

    private static func folders(_ answer: TestAnswer) -> [String] {
        (answer.json["folders"]?.array ?? []).map {
            "\($0["folder"]?.string ?? "") \($0["links"]?.integer ?? -1)"
        }
    }

    @Test func listingsTakeSubfoldersToo() async throws {
        try await SiteFixture.run(.inProcess, applications: [SiteFixture.shop, SiteFixture.news]) { fixture in
            try await Self.fill(fixture)
            for (query, expected) in [
                ("folder=spring", ["a", "b", "c", "e"]), ("app=shop&folder=spring", ["a", "b", "c"]),
                ("folder=spring/mail", ["b", "c", "e"]), ("folder=spring%2Fmail&search=c", ["c"]), ("folder=mail", []),
                ("folder=springtime&app=shop", ["d"]), ("folder=", ["a", "b", "c", "d", "e"]),
            ] {
                let links = try await fixture.links("sort=createdAt&count=true&\(query)") { page in
                    #expect(page.json["total"]?.integer == expected.count, "\(query): \(page.text)")
                }
                #expect(links.map { $0["slug"]?.string } == expected, "\(query)")
            }
        }
    }

    @Test(arguments: ["/spring", "spring/", "a//b", "a/../b", "%20a", "1/2/3/4/5/6/7/8/9/10/11"])
    func aFolderThatNoLinkCanHaveIsRefused(folder: String) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let answer = try await fixture.call("GET", "/api/v1/links?folder=\(folder)")
            #expect(answer.status == 422)
            #expect(answer.json["errors"]?.array?.first?["field"] == "folder", "\(answer.text)")
        }
    }

    @Test func foldersAreCountedOfTheApplicationsThatACallerSees() async throws {
        try await SiteFixture.run(.inProcess, applications: [SiteFixture.shop, SiteFixture.news]) { fixture in
            try await Self.fill(fixture)
            let all = try await fixture.call("GET", "/api/v1/folders")
            #expect(Self.folders(all) == ["spring 1", "spring/mail 3", "springtime 1"], "\(all.text)")
            let news = try await fixture.call("GET", "/api/v1/folders?app=news")
            #expect(Self.folders(news) == ["spring/mail 1"])
            let key = try await fixture.key(["read"], app: "news")
            #expect(Self.folders(try await fixture.call("GET", "/api/v1/folders", key: key)) == ["spring/mail 1"])
            #expect(Self.folders(try await fixture.call("GET", "/api/v1/folders?app=shop", key: key)) == [])
            #expect(try await fixture.call("GET", "/api/v1/folders?app=no/app").status == 422)
        }
    }

    @Test func manyLinksAreMovedAtOnce() async throws {
        try await SiteFixture.run(.inProcess, applications: [SiteFixture.shop, SiteFixture.news]) { fixture in
            try await Self.fill(fixture)
            let moved = try await fixture.call(
                "PATCH", "/api/v1/links:batch",
                #"{"select": {"app": "shop", "folder": "spring"}, "patch": {"folder": "autumn"}}"#)
            #expect(moved.json["matched"]?.integer == 3 && moved.json["changed"]?.integer == 3, "\(moved.text)")
            let folders = try await fixture.call("GET", "/api/v1/folders?app=shop")
            #expect(Self.folders(folders) == ["autumn 3", "springtime 1"], "\(folders.text)")
            let removed = try await fixture.call(
                "POST", "/api/v1/links:delete", #"{"select": {"app": "shop", "folder": "autumn"}}"#)
            #expect(removed.json["changed"]?.integer == 3, "\(removed.text)")
            let left = try await fixture.call("GET", "/api/v1/folders")
            #expect(Self.folders(left) == ["spring/mail 1", "springtime 1"])
        }
    }
}
