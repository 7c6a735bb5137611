import Glibc
import Testing
import WaymarkHTTP
import WaymarkServer
import WaymarkSockets

/// What is served out of a folder, and what is not.
@Suite struct StaticFilesTests {
    /// For tests that only read.
    private static let shared = Result { try makeTree() }

    private static func makeTree() throws -> ServedTree {
        let tree = try ServedTree()
        for folder in ["sub", ".well-known", ".hidden", "empty", "a b", "UPPER"] { tree.folder(folder) }
        tree.write("../secret", "secret")
        tree.write("index.html", "home")
        tree.write("app.js", "script")
        tree.write("a b.txt", "spaced")
        tree.write("100%.txt", "percent")
        tree.write("naïve.txt", "accent")
        tree.write("sub/index.html", "sub")
        tree.write("sub/.git", "hidden")
        tree.write(".well-known/assetlinks.json", "[]")
        tree.write(".well-known/apple-app-site-association", "{}")
        tree.write(".hidden/file", "hidden")
        tree.write(".env", "hidden")
        tree.write("empty.txt", "")
        tree.write("unknown.xyz", "x")
        tree.write("none", "x")
        tree.write("back\\slash.txt", "x")
        symlink("../secret", tree.path("link"))
        symlink("app.js", tree.path("inner"))
        symlink("..", tree.path("up"))
        symlink("sub", tree.path("alias"))
        symlink("/etc", tree.path("etc"))
        mkfifo(tree.path("pipe"), 0o644)
        mkfifo(tree.path("pipe.js"), 0o644)
        return tree
    }

    @Test(arguments: [
        ("/_/", "home", "text/html; charset=utf-8"), ("/_/index.html", "home", "text/html; charset=utf-8"),
        ("/_/app.js", "script", "text/javascript; charset=utf-8"),
        ("/_/app.js?version=1", "script", "text/javascript; charset=utf-8"),
        ("/_/%61pp%2Ejs", "script", "text/javascript; charset=utf-8"),
        ("/_/a%20b.txt", "spaced", "text/plain; charset=utf-8"),
        ("/_/100%25.txt", "percent", "text/plain; charset=utf-8"),
        ("/_/na%C3%AFve.txt", "accent", "text/plain; charset=utf-8"),
        ("/_/sub/", "sub", "text/html; charset=utf-8"),
        ("/_/.well-known/assetlinks.json", "[]", "application/json"),
        ("/_/.well-known/apple-app-site-association", "{}", "application/json"),
        ("/_/empty.txt", "", "text/plain; charset=utf-8"), ("/_/unknown.xyz", "x", "application/octet-stream"),
        ("/_/none", "x", "application/octet-stream"),
    ])
    func servesFilesAndIndexes(path: String, text: String, type: String) async throws {
        let tree = try Self.shared.get()
        try await withFiles(of: tree) { client in
            let response = try await client.get(path)
            #expect(response.status == 200)
            #expect(response.text == text)
            #expect(response.value("Content-Type") == type)
            #expect(response.value("X-Content-Type-Options") == "nosniff")
            #expect(response.value("Cache-Control") == "public, no-cache")
        }
    }

    @Test(arguments: [
        "/_/../secret", "/_/%2e%2e/secret", "/_/%2E%2e/secret", "/_/.%2e/secret", "/_/..%2fsecret",
        "/_/%2e%2e%2fsecret", "/_/..%5csecret", "/_/..\\secret", "/_/sub/../../secret", "/_/sub/..%2f..%2fsecret",
        "/_/sub/../app.js", "/_/sub%2findex.html", "/_/%2fetc/passwd", "/_//etc/passwd", "/_/%2f%2fetc/passwd",
        "/_/..%252fsecret", "/_/%252e%252e/secret", "/_/..;/secret", "/_/...", "/_/.../app.js",
        "/_/link", "/_/inner", "/_/up/secret", "/_/up/public/app.js", "/_/alias/", "/_/alias/index.html",
        "/_/etc/passwd", "/_/etc", "/_/.hidden/file", "/_/.env", "/_/%2eenv", "/_/sub/.git", "/_/.hidden",
        "/_//index.html", "/_/sub//", "/_/sub//index.html", "/_/./index.html", "/_/missing", "/_/app.js/",
        "/_/app.js/x", "/_/app.js%20", "/_/app.js.", "/_/APP.js", "/_/empty/", "/_/pipe", "/_/pipe/", "/_/pipe.js",
        "/_/back%5Cslash.txt", "/_/app.js%0a", "/_/app.js%0d%0aX:y", "/_/app.js%7f", "/_/app.js%01",
        "/_/\(String(repeating: "n", count: 300))", "/_/\(String(repeating: "n/", count: 3_000))", "/_",
        "/_/%FF", "/_/%c0%ae%c0%ae/secret", "/_/%c0%afetc", "/_/%e0%80%ae", "/_/.", "/_/..", "/_/%2e", "/_/%2e%2e",
        "/_/sub/.", "/_/sub/..", "/_/well-known/", "/_/.Well-Known/assetlinks.json",
    ])
    func servesNothingElse(path: String) async throws {
        let tree = try Self.shared.get()
        try await withFiles(of: tree) { client in
            let response = try await client.get(path, "Accept-Encoding: gzip")
            #expect(response.status == 404)
            #expect(!response.text.contains("secret"))
        }
    }

    @Test(arguments: ["/_/app.js%00", "/_/%00", "/_/..%00/secret", "/_/app.js%00.html", "/_/%", "/_/%2", "/_/%zz"])
    func refusesWhatNoPathCanHold(path: String) async throws {
        let tree = try Self.shared.get()
        try await withFiles(of: tree) { client in
            let response = try await client.get(path)
            #expect(response.status == 400)
        }
    }

    @Test(arguments: [
        ("/_/sub", "/_/sub/"), ("/_/sub?a=b&c", "/_/sub/?a=b&c"), ("/_/a%20b", "/_/a%20b/"), ("/_/empty", "/_/empty/"),
    ])
    func sendsADirectoryWithoutItsSlashThere(path: String, location: String) async throws {
        let tree = try Self.shared.get()
        try await withFiles(of: tree) { client in
            let response = try await client.get(path)
            #expect(response.status == 301)
            #expect(response.value("Location") == location)
            #expect(response.body.isEmpty)
        }
    }

    @Test(arguments: [
        "app.3f2a9c1b.js", "app-3f2a9c1b4d5e6f70.css", "3f2a9c1b.js", "chunk_0a1b2c3d.mjs", "app.3f2a9c1b.js.map",
        "logo.0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef.svg",
    ])
    func letsNamesWithAHashBeKept(name: String) async throws {
        let tree = try Self.makeTree()
        tree.write(name, "x")
        try await withFiles(of: tree) { client in
            let response = try await client.get("/_/" + name)
            #expect(response.value("Cache-Control") == "public, max-age=31536000, immutable")
            let tag = try #require(response.value("ETag"))
            let unchanged = try await client.get("/_/" + name, "If-None-Match: \(tag)")
            #expect(unchanged.value("Cache-Control") == "public, max-age=31536000, immutable")
        }
    }

    @Test(arguments: [
        "app.js", "report-20241231.pdf", "deadbeef.js", "app.3F2A9C1B.js", "app.3f2a9c1.js", "app.3f2a9c1g.js",
        "page.3f2a9c1b.html", "3f2a9c1b", "app.js.3f2a9c1b",
        "logo.00123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef.svg",
    ])
    func asksForOtherNamesEachTime(name: String) async throws {
        let tree = try Self.makeTree()
        tree.write(name, "x")
        try await withFiles(of: tree) { client in
            let response = try await client.get("/_/" + name)
            #expect(response.value("Cache-Control") == "public, no-cache")
        }
    }

    @Test func servesFilesAsTheyAreNow() async throws {
        let tree = try Self.makeTree()
        try await withFiles(of: tree) { client in
            var tags: Set<String> = []
            func check(_ text: String) async throws {
                let response = try await client.get("/_/app.js")
                #expect(response.text == text)
                let (isNew, _) = tags.insert(try #require(response.value("ETag")))
                #expect(isNew, "the tag stands for something else")
            }
            tree.date("app.js", 1_000_000_000)
            try await check("script")
            // Written over, and given its old time back.
            tree.write("app.js", "SCRIPT")
            tree.date("app.js", 1_000_000_000)
            try await check("SCRIPT")
            // Replaced by another file of the same size and time.
            tree.write("new", "tpircs")
            tree.date("new", 1_000_000_000)
            rename(tree.path("new"), tree.path("app.js"))
            try await check("tpircs")
            tree.write("app.js", "longer")
            try await check("longer")
            unlink(tree.path("app.js"))
            #expect(try await client.get("/_/app.js").status == 404)
        }
    }

    @Test func givesTheSameContentTheSameTag() async throws {
        let tree = try Self.makeTree()
        tree.write("copy.js", "script")
        tree.date("copy.js", 1_000_000_000)
        try await withFiles(of: tree) { client in
            let tag = try await client.get("/_/app.js").value("ETag")
            #expect(try await client.get("/_/copy.js").value("ETag") == tag)
            #expect(tag?.hasPrefix("\"") == true)
        }
    }

    @Test func takesTheFolderThatTheNameLeadsToNow() async throws {
        let tree = try Self.makeTree()
        try await withFiles(of: tree) { client in
            #expect(try await client.get("/_/app.js").text == "script")
            rename(tree.root + "/public", tree.root + "/before")
            mkdir(tree.root + "/public", 0o755)
            tree.write("app.js", "after")
            #expect(try await client.get("/_/app.js").text == "script")
            try client.files.reopen()
            #expect(try await client.get("/_/app.js").text == "after")
            rename(tree.root + "/public", tree.root + "/gone")
            #expect(throws: SystemError.self) { try client.files.reopen() }
            #expect(try await client.get("/_/app.js").text == "after")
        }
    }

    @Test func neverSpeaksOfTheFuture() async throws {
        let tree = try Self.makeTree()
        tree.date("app.js", 4_000_000_000)
        try await withFiles(of: tree) { client in
            let modified = try #require(try await client.get("/_/app.js").value("Last-Modified"))
            #expect(!modified.contains("2096"))
        }
    }
}
