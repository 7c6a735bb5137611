import FoundationEssentials
import Testing
import WaymarkServer
import WaymarkTestSupport

@testable import WaymarkSite

/// The public folder as a client sees it.
@Suite struct PublicFilesTests {
    /// A folder for one test, and what writes into it.
    private final class Folder {
        private let temporary: TemporaryFolder

        init() throws { temporary = try TemporaryFolder() }

        var path: String { temporary.path }

        func write(_ text: String, _ name: String) throws {
            let folder = path + "/" + name.split(separator: "/").dropLast().joined(separator: "/")
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            #expect(FileManager.default.createFile(atPath: path + "/" + name, contents: Data(text.utf8)))
        }

        var options: SiteOptions {
            var options = SiteOptions()
            options.publicFolder = path
            return options
        }
    }

    @Test func servesOnesOwnFilesAtTheirWellKnownPlaces() async throws {
        let folder = try Folder()
        try folder.write("Contact: mailto:security@example.com\n", ".well-known/security.txt")
        try folder.write("token.thumbprint", ".well-known/acme-challenge/token")
        try folder.write("hidden", ".well-known/.hidden")
        try folder.write("hidden", ".git/config")
        try folder.write("User-agent: *\n", "robots.txt")
        try await SiteFixture.run(.socket, options: folder.options) { fixture in
            for host in ["go.example.com", "other.example"] {
                let answer = try await fixture.visit("/.well-known/security.txt", host: host)
                #expect(answer.status == 200)
                #expect(answer[header: "Content-Type"] == "text/plain; charset=utf-8")
                #expect(answer[header: "X-Content-Type-Options"] == "nosniff")
                let challenge = try await fixture.visit("/.well-known/acme-challenge/token", host: host)
                #expect(challenge.text == "token.thumbprint")
                #expect(try await fixture.visit("/robots.txt", host: host).text == "User-agent: *\n")
                #expect(try await fixture.visit("/favicon.ico", host: host).status == 404)
            }
            for path in [
                "/.well-known", "/.well-known/", "/.well-known/.hidden", "/.well-known/../.git/config",
                "/.well-known/%2e%2e/.git/config", "/.well-known/..%2f.git/config", "/.git/config", "/_/.git/config",
                "/_/.well-known/security.txt", "/.well-known/acme-challenge/", "/.well-known/assetlinks.json/",
                "/.well-known/security.txt/",
            ] {
                #expect(try await fixture.visit(path).status == 404, "\(path)")
            }
            #expect(try await fixture.visit("/.well-known/acme-challenge").status == 301)
            #expect(try await fixture.call("POST", "/.well-known/security.txt", "{}").status == 405)
        }
    }

    @Test func answersConditionsAndRanges() async throws {
        try await SiteFixture.run(.socket) { fixture in
            let whole = try await fixture.visit("/_/openapi.json")
            let tag = try #require(whole[header: "ETag"])
            let part = try await fixture.visit("/_/openapi.json", headers: [("Range", "bytes=0-9")])
            #expect(part.status == 206)
            #expect(part[header: "Content-Range"] == "bytes 0-9/\(whole.body.count)")
            #expect(
                try await fixture.visit("/_/openapi.json", headers: [("If-None-Match", tag)]).status == 304)
            for asked in ["text/html", "application/json"] {
                let other = try await fixture.visit(
                    "/_/openapi.json", headers: [("If-Match", "\"x\""), ("Accept", asked)])
                #expect(other.status == 412)
                let beyond = try await fixture.visit(
                    "/_/openapi.json", headers: [("Range", "bytes=9999999-"), ("Accept", asked)])
                #expect(beyond.status == 416)
                #expect(beyond[header: "Content-Range"] == "bytes */\(whole.body.count)")
                #expect(beyond[header: "ETag"] == nil)
                #expect((beyond.problem == "request-refused") == (asked == "application/json"))
            }
        }
    }

    @Test func findsTheFolderThatCameLater() async throws {
        let folder = try Folder()
        try await SiteFixture.run(.inProcess, options: folder.options) { fixture in
            #expect(try await fixture.visit("/robots.txt").status == 404)
            try folder.write("first", "robots.txt")
            fixture.site.reload()
            #expect(try await fixture.visit("/robots.txt").status == 200)
            try FileManager.default.moveItem(atPath: folder.path, toPath: folder.path + "-before")
            defer { try? FileManager.default.removeItem(atPath: folder.path + "-before") }
            fixture.site.reload()
            #expect(try await fixture.visit("/robots.txt").status == 200)
            try folder.write("second", "security.txt")
            fixture.site.reload()
            #expect(try await fixture.visit("/robots.txt").status == 404)
        }
    }
}
