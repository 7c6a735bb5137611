import Foundation
import Testing
import WaymarkServer

@testable import WaymarkSite

/// The public files of the executable, against the folder and as clients see them.
@Suite struct EmbeddedPublicTests {
    private static let folder =
        String(#filePath.prefix(upTo: #filePath.firstRange(of: "/Tests/")!.lowerBound)) + "/Public"

    private static let embedded: SiteOptions = {
        var options = SiteFixture.options()
        options.publicFolder = nil
        return options
    }()

    @Test func `the executable holds each file of the folder`() throws {
        let names = try #require(FileManager.default.subpaths(atPath: Self.folder)).filter { name in
            let attributes = try? FileManager.default.attributesOfItem(atPath: "\(Self.folder)/\(name)")
            return attributes?[.type] as? FileAttributeType == .typeRegular
        }
        #expect(Set(names) == Set(EmbeddedFile.publicFiles.keys), "Scripts/embed-public --write lists them")
        for name in names {
            let content = FileManager.default.contents(atPath: "\(Self.folder)/\(name)").map { Array($0) }
            #expect(EmbeddedFile.publicFiles[name]?.bytes == content, "\(name)")
        }
    }

    @Test(arguments: [
        "/_/", "/_/dashboard/main.js", "/_/dashboard/dashboard.css", "/_/icon.svg", "/robots.txt", "/_/openapi.json",
    ])
    func `responses are those of the folder`(_ path: String) async throws {
        for coding in ["identity", "gzip"] {
            let headers = [("Accept-Encoding", coding)]
            var answers: [[String?]] = []
            for options in [SiteFixture.options(), Self.embedded] {
                try await SiteFixture.run(.socket, options: options) { fixture in
                    let answer = try await fixture.visit(path, headers: headers)
                    #expect(answer.status == 200)
                    let names = [
                        "ETag", "Content-Type", "Cache-Control", "Content-Security-Policy", "Vary", "Content-Encoding",
                        "Accept-Ranges", "X-Content-Type-Options", "Referrer-Policy", "Content-Length",
                    ]
                    answers.append(names.map { answer[header: $0] } + [String(decoding: answer.body, as: UTF8.self)])
                    let tag = try #require(answer[header: "ETag"])
                    let again = try await fixture.visit(path, headers: headers + [("If-None-Match", tag)])
                    #expect(again.status == 304)
                    let modified = try #require(answer[header: "Last-Modified"])
                    let since = try await fixture.visit(path, headers: headers + [("If-Modified-Since", modified)])
                    #expect(since.status == 304)
                }
            }
            #expect(answers.first == answers.last)
        }
    }

    @Test func `ranges and HEAD work without a folder`() async throws {
        try await SiteFixture.run(.socket, options: Self.embedded) { fixture in
            let whole = try await fixture.visit("/_/openapi.json")
            let part = try await fixture.visit("/_/openapi.json", headers: [("Range", "bytes=10-29")])
            #expect(part.status == 206)
            #expect(part.body.elementsEqual(whole.body.dropFirst(10).prefix(20)))
            let parts = try await fixture.visit("/_/openapi.json", headers: [("Range", "bytes=0-1,300000-300001")])
            #expect(parts.status == 206)
            #expect(parts[header: "Content-Type"]?.hasPrefix("multipart/byteranges") == true)
            let head = try await fixture.call("HEAD", "/_/openapi.json", key: nil)
            #expect(head.status == 200)
            #expect(head[header: "Content-Length"] == "\(whole.body.count)")
            #expect(head.body.isEmpty)
        }
    }

    @Test(arguments: [
        "/_/nothing.js", "/_/dashboard/nothing.js", "/_/dashboard/../../etc/passwd", "/_/%2e%2e/%2e%2e/etc/passwd",
        "/_/dashboard%2fmain.js", "/_/dashboard//main.js", "/_/..%2fREADME.md", "/_/.well-known/security.txt",
        "/.well-known/security.txt", "/_/hosts/x", "/_/openapi.json/",
    ])
    func `nothing else is served`(_ path: String) async throws {
        try await SiteFixture.run(.socket, options: Self.embedded) { fixture in
            let answer = try await fixture.visit(path)
            #expect(answer.status == 404)
        }
    }

    @Test func `a folder without its slash is redirected`() async throws {
        try await SiteFixture.run(.inProcess, options: Self.embedded) { fixture in
            let answer = try await fixture.visit("/_/dashboard")
            #expect(answer.status == 301)
            #expect(answer[header: "Location"] == "/_/dashboard/")
            #expect(try await fixture.visit("/_/dashboard/").status == 404)
        }
    }
}
