import Foundation
import Synchronization
import Testing
import WaymarkJSON
import WaymarkServer

@testable import WaymarkSite

/// `/api/v1/imports` over sockets. Serialized, because each waiting client blocks a thread that the site's tasks need.
@Suite(.serialized) struct ImportInterfaceTests {
    private static let rows = "slug,urls.web\na,https://www.example.com/a\nb c,https://www.example.com/b\n"
    private static let csv = [("source", "csv"), ("app", "shop"), ("file;links.csv", rows)]
    private static let shlink =
        #"{"source": "shlink", "app": "shop", "credentials": {"apiKey": "k", "apiURL": "https://s.example.com"}}"#

    @Test func importsAnUploadedFileAndReportsItsRows() async throws {
        try await ImportFixture.run { imports in
            let path = try await imports.start(Self.csv)
            let ended = try await imports.end(path)
            #expect(ended["state"] == "finished" && ended["error"] == .null, "\(ended)")
            #expect(ended["counts"]?["created"] == 1 && ended["counts"]?["refused"] == 1, "\(ended)")
            #expect(ended["fileBytes"] == ended["fileBytesRead"])
            for (target, accept) in [(path, "text/csv"), (path + "?format=csv", "application/json")] {
                let report = try await imports.fixture.call("GET", target, headers: [("Accept", accept)])
                #expect(report[header: "Content-Type"]?.hasPrefix("text/csv") == true)
                let lines = report.text.split(separator: "\n")
                #expect(
                    lines.prefix(2) == ["row,outcome,slug,smartlink,reason", "1,created,a,https://go.example.com/a,"])
                #expect(lines.count == 3 && lines[2].hasPrefix("2,refused,b c,"))
            }
            #expect(try await imports.fixture.visit("/a").status == 302)
            #expect(imports.files.isEmpty)
        }
    }

    @Test func theSameImportAgainFindsTheSameLinks() async throws {
        try await ImportFixture.run { imports in
            _ = try await imports.end(imports.start(Self.csv))
            let again = try await imports.end(imports.start(Self.csv))
            #expect(again["counts"]?["same"] == 1 && again["counts"]?["created"] == 0, "\(again)")
        }
    }

    @Test func aDryRunCreatesNothing() async throws {
        try await ImportFixture.run { imports in
            let ended = try await imports.end(imports.start(Self.csv + [("dryRun", "true")]))
            #expect(ended["dryRun"] == true && ended["counts"]?["created"] == 1, "\(ended)")
            #expect(try await imports.fixture.visit("/a").status == 404)
        }
    }

    @Test func readsSeveralFilesAndMappedColumns() async throws {
        try await ImportFixture.run { imports in
            let ended = try await imports.end(
                imports.start([
                    ("map", "Code=slug"), ("map", #"{"Target": "urls.web"}"#), ("source", "csv"), ("app", "shop"),
                    ("file;1.csv", "Code,Target\nx,https://www.example.com/\n"),
                    ("file;2.csv", "Target,Code\nhttps://www.example.com/,y\n"),
                ]))
            #expect(ended["counts"]?["created"] == 2, "\(ended)")
        }
    }

    @Test func aFileThatCanNotBeReadEndsAsFailed() async throws {
        try await ImportFixture.run { imports in
            let ended = try await imports.end(
                imports.start([("source", "csv"), ("app", "shop"), ("file;n%0D.csv", "a,b\n1,2\n")]))
            #expect(ended["state"] == "failed" && ended["counts"]?["rows"] == 0)
            #expect(ended["error"]?.string?.hasPrefix("n.csv: no column") == true, "\(ended)")
        }
    }

    @Test func anotherApplicationsKeyIsForbidden() async throws {
        try await ImportFixture.run { imports in
            let key = try await imports.fixture.key(["links"], app: "news")
            let answer = try await imports.upload(Self.csv, key: key)
            #expect(answer.status == 403 && answer.problem == "application-forbidden")
            let reader = try await imports.fixture.key(["read", "create", "resolve"])
            #expect(try await imports.upload(Self.csv, key: reader).problem == "scope-missing")
            #expect(try await imports.upload(Self.csv, key: "wm_unknown").status == 401)
            #expect(try await imports.upload(Self.csv, key: nil).status == 401)
            #expect(imports.files.isEmpty)
        }
    }

    private struct WrongForm: Sendable, CustomTestStringConvertible {
        let fields: [String]
        var parts: [(String, String)]
        var testDescription: String { "\(parts)" }

        init(_ fields: [String], _ parts: KeyValuePairs<String, String>, hasFile: Bool = true) {
            self.fields = fields
            self.parts = parts.map { ($0.key, $0.value) } + (hasFile ? [("file;f", "a")] : [])
        }
    }

    private static let wrongForms: [WrongForm] = [
        WrongForm(["source"], ["app": "shop"]),
        WrongForm(["app", "file"], ["source": "csv"], hasFile: false),
        WrongForm(["app", "source"], ["source": "goo.gl", "app": "nothing"]),
        WrongForm(["domain"], ["source": "csv", "app": "shop", "domain": "news.example.com"]),
        WrongForm(["color", "dryRun"], ["source": "csv", "app": "shop", "dryRun": "yes", "color": "red"]),
        WrongForm(["app", "map"], ["source": "csv", "app": "shop", "app": "shop", "map": "a"]),
        WrongForm(["map", "timeZone"], ["source": "csv", "app": "shop", "map": "{", "timeZone": "Moon"]),
        WrongForm(["timeZone"], ["source": "csv", "app": "shop", "timeZone": "IST"]),
        WrongForm(["credentials"], ["source": "bitly", "app": "shop", "credentials": "k"]),
        WrongForm(["credentials.apiURL"], ["source": "shlink", "app": "shop", "credentials": "k"], hasFile: false),
        WrongForm(["credentials"], ["source": "dub", "app": "shop"], hasFile: false),
        WrongForm(["file"], ["source": "branch", "app": "shop", "credentials": "k"], hasFile: false),
        WrongForm(
            ["credentials.apiURL"],
            ["source": "shlink", "app": "shop", "credentials": #"{"apiKey": "k", "apiURL": "ftp://a/"}"#],
            hasFile: false),
    ]

    @Test(arguments: wrongForms)
    private func namesEveryFieldThatIsWrong(form: WrongForm) async throws {
        try await ImportFixture.run { imports in
            let answer = try await imports.upload(form.parts)
            #expect(answer.status == 422 && answer.fields == form.fields, "\(answer.text)")
            #expect(imports.files.isEmpty)
        }
    }

    private static let wrongBodies: [(String, [String])] = [
        (#"{"app": "shop"}"#, ["source"]), (#"{"source": "csv", "app": "shop"}"#, ["file"]),
        (#"{"source": "dub", "app": "shop"}"#, ["credentials"]),
        (#"{"source": "dub", "app": "shop", "credentials": {"key": "k"}}"#, ["credentials.apiKey", "credentials.key"]),
        (#"{"source": "dub", "app": "shop", "credentials": 7, "dryRun": "no"}"#, ["credentials", "dryRun"]),
        (
            #"{"source": "shlink", "app": "shop", "credentials": {"apiKey": "k", "apiURL": "http://127.0.0.1/"}}"#,
            ["credentials.apiURL"]
        ),
    ]

    @Test(arguments: wrongBodies)
    func namesEveryMemberThatIsWrong(body: String, fields: [String]) async throws {
        try await ImportFixture.run { imports in
            let answer = try await imports.fixture.call("POST", "/api/v1/imports", body)
            #expect(answer.status == 422 && answer.fields == fields, "\(answer.text)")
        }
    }

    @Test func importsFromAServicesInterface() async throws {
        try await ImportFixture.run { imports in
            imports.service.open()
            let answer = try await imports.fixture.call("POST", "/api/v1/imports", Self.shlink)
            try #require(answer.status == 202, "\(answer.text)")
            let ended = try await imports.end(try #require(answer[header: "Location"]))
            #expect(ended["counts"]?["created"] == 2 && ended["fileBytes"] == 0, "\(ended)")
            #expect(!answer.text.contains("\"k\""))
        }
    }

    @Test func aStoppedImportKeepsItsLinksAndItsReport() async throws {
        try await ImportFixture.run { imports in
            let answer = try await imports.fixture.call("POST", "/api/v1/imports", Self.shlink)
            let path = try #require(answer[header: "Location"])
            while try await imports.fixture.visit("/p1").status != 302 { await Task.yield() }
            #expect(try await imports.fixture.call("GET", path).json["state"] == "running")
            #expect(try await imports.fixture.call("DELETE", path).status == 204)
            let ended = try await imports.end(path)
            #expect(ended["state"] == "stopped" && ended["counts"]?["rows"] == 1, "\(ended)")
            let report = try await imports.fixture.call("GET", path + "?format=csv")
            #expect(report.text.contains("1,created,p1,"))
            #expect(try await imports.fixture.call("DELETE", path).status == 204)
            #expect(try await imports.end(path)["state"] == "stopped")
        }
    }

    @Test func limitsHowManyRunAtOnce() async throws {
        try await ImportFixture.run(running: 2) { imports in
            let fixture = imports.fixture
            let first = try await fixture.call("POST", "/api/v1/imports", Self.shlink)
            #expect(first.status == 202)
            for answer in [
                try await fixture.call("POST", "/api/v1/imports", Self.shlink), try await imports.upload(Self.csv),
            ] {
                #expect(answer.status == 429 && answer.problem == "rate-limited")
                #expect(answer[header: "Retry-After"] != nil)
            }
            let (second, third) = (try await fixture.key(["links"]), try await fixture.key(["links"]))
            #expect(try await fixture.call("POST", "/api/v1/imports", Self.shlink, key: second).status == 202)
            #expect(try await imports.upload(Self.csv, key: third).status == 429)
            imports.service.open()
            _ = try await imports.end(try #require(first[header: "Location"]))
            // The permit ends a moment after the import.
            while try await imports.upload(Self.csv).status == 429 { await Task.yield() }
        }
    }

    @Test func rejectsFormsThatAreTooLarge() async throws {
        try await ImportFixture.run(uploadBytes: 100_000) { imports in
            let file = Self.rows + String(repeating: "x", count: 200_000)
            let answer = try await imports.upload([("source", "csv"), ("file;f", file)])
            #expect(answer.status == 413 && answer.problem == "body-too-large")
            let field = try await imports.upload([
                ("source", String(repeating: "x", count: ImportUpload.fieldLimit + 1))
            ])
            #expect(field.status == 422 && field.fields == ["source"])
            let many = try await imports.upload(
                (0...ImportUpload.fileLimit).map { _ in ("file;f", "a") } + [("source", "csv")])
            #expect(many.status == 422 && many.fields == ["file"], "\(many.text)")
            #expect(imports.files.isEmpty)
        }
    }

    @Test func rejectsFormsThatCanNotBeRead() async throws {
        try await ImportFixture.run { imports in
            for body in ["", "--xYz", ImportFixture.form(Self.csv).replacingOccurrences(of: "--xYz--", with: "--xYz")] {
                let answer = try await imports.upload([], body: body)
                #expect(answer.status == 400 && answer.problem == "malformed-request", "\(body)")
            }
            for type in ["text/csv", "multipart/form-data", "multipart/form-data; boundary=\"a<\""] {
                let answer = try await imports.fixture.call(
                    "POST", "/api/v1/imports", "a", headers: [("Content-Type", type)])
                #expect(answer.status == 415, "\(type)")
            }
            #expect(imports.files.isEmpty)
        }
    }

    @Test func deletesFilesThatAProcessLeftBehind() async throws {
        try await ImportFixture.run { imports in
            let space = SpoolSpace(limit: 1_000)
            let used = try SpoolFile(in: imports.folder, space)
            let usedName = try #require(used.path.split(separator: "/").last.map(String.init))
            let left = ["waymark-import-left", "waymark-import-left-wal", "waymark-import-gone-shm"]
            for name in left + [usedName + "-wal", "waymark.sqlite"] {
                #expect(FileManager.default.createFile(atPath: imports.folder + "/" + name, contents: nil))
            }
            #expect(imports.fixture.site.imports.removeAbandonedFiles() == 3)
            #expect(Set(imports.files) == [usedName, usedName + "-wal", "waymark.sqlite"])
            let mode = try FileManager.default.attributesOfItem(atPath: used.path)
            #expect(mode[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test func aFileTakesItsCompanionsWithIt() async throws {
        try await ImportFixture.run { imports in
            try {
                let file = try SpoolFile(in: imports.folder, SpoolSpace(limit: 1_000))
                #expect(FileManager.default.createFile(atPath: file.path + "-wal", contents: nil))
                try file.append([1])
            }()
            #expect(imports.files.isEmpty)
        }
    }

    private static let shares: [(used: Int, free: Int, isAdmitted: Bool)] = [
        (0, 1 << 30, true), (100 << 20, 300 << 20, true), (100 << 20, 100 << 20, false), (0, 64 << 20, false),
        (1 << 30, 8 << 30, false),
    ]

    @Test(arguments: shares) func uploadsLeaveShareOfDisk(used: Int, free: Int, isAdmitted: Bool) throws {
        let disk = Mutex(Int.max)
        let space = SpoolSpace(limit: 1 << 30) { _ in disk.withLock { $0 } }
        try space.reserve(used, on: 0)
        disk.withLock { $0 = free }
        if isAdmitted {
            try space.reserve(1, on: 0)
        } else {
            #expect(throws: SpoolFile.Failure.self) { try space.reserve(1, on: 0) }
            space.release(used)
            disk.withLock { $0 = 1 << 30 }
            try space.reserve(1, on: 0)
        }
    }
}
