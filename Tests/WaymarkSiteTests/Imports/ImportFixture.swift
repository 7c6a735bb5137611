import Foundation
import Synchronization
import Testing
import WaymarkClient
import WaymarkImports
import WaymarkJSON
import WaymarkStores

@testable import WaymarkService
@testable import WaymarkSite

/// A site that accepts imports, with a folder of its own for their files.
struct ImportFixture {
    let fixture: SiteFixture
    let folder: String
    let service: TestService

    static func run(
        applications: [String] = [SiteFixture.shop, SiteFixture.news], running: Int = 8, uploadBytes: Int = 1 << 20,
        store: (any LinkStore)? = nil, settings: (inout ImportSettings) -> Void = { _ in },
        test: (ImportFixture) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("waymark-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var background = BackgroundWork.Settings()
        let service = TestService()
        background.imports.folder = folder.path
        background.imports.running = running
        background.imports.uploadBytes = uploadBytes
        background.imports.database = service.database
        background.client = service
        settings(&background.imports)
        try await SiteFixture.run(
            .socket, applications: applications, background: background, store: store
        ) { fixture in
            defer { service.open() }
            try await test(ImportFixture(fixture: fixture, folder: folder.path, service: service))
            service.open()
            await fixture.site.imports.stop()
        }
    }

    var files: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] }

    /// - Parameter parts: name and value; a name such as `file;links.csv` is that of a file.
    static func form(_ parts: [(String, String)]) -> String {
        var text = ""
        for (name, value) in parts {
            let words = name.split(separator: ";").map(String.init)
            let file = words.count > 1 ? "; filename=\"\(words[1])\"" : ""
            text += "--xYz\r\nContent-Disposition: form-data; name=\"\(words[0])\"\(file)\r\n\r\n\(value)\r\n"
        }
        return text + "--xYz--\r\n"
    }

    func upload(
        _ parts: [(String, String)], key: String? = SiteFixture.adminKey, body: String? = nil
    ) async throws -> TestAnswer {
        try await fixture.call(
            "POST", "/api/v1/imports", body ?? Self.form(parts), key: key,
            headers: [("Content-Type", "multipart/form-data; boundary=xYz")])
    }

    /// Starts an import and gives its path.
    func start(_ parts: [(String, String)], key: String = SiteFixture.adminKey) async throws -> String {
        let answer = try await upload(parts, key: key)
        try #require(answer.status == 202, "\(answer.text)")
        return try #require(answer[header: "Location"])
    }

    /// The import once it has ended.
    func end(_ path: String, key: String = SiteFixture.adminKey) async throws -> JSONValue {
        // Its thread gets little of a processor that others use, such as this loop.
        let id = String(path.dropFirst("/api/v1/imports/".count))
        await fixture.site.imports.local(id)?.waitForEnd(until: .now + .seconds(60))
        while true {
            let answer = try await fixture.call("GET", path, key: key)
            try #require(answer.status == 200, "\(answer.text)")
            if answer.json["endedAt"]?.string != nil { return answer.json }
            await Task.yield()
        }
    }
}

/// A service whose second page comes when the test says so. Addresses with `127.` are forbidden.
final class TestService: HTTPSending {
    private let isOpen = Atomic<Bool>(false)
    private let isHanging = Atomic<Bool>(false)
    private let opening = DispatchSemaphore(value: 0)

    /// Whether the thread that opens a database can't do anything else, not even stop.
    var hangs: Bool {
        get { isHanging.load(ordering: .relaxed) }
        set { isHanging.store(newValue, ordering: .relaxed) }
    }

    func open() {
        isOpen.store(true, ordering: .relaxed)
        opening.signal()
    }

    private func hang() {
        opening.wait()
        opening.signal()
    }

    func outcomes(
        of requests: [HTTPRequest], while goesOn: @escaping @Sendable (HTTPOutcome) -> Bool
    ) async -> [HTTPOutcome] {
        let page = requests[0].url.contains("page=2") ? 2 : 1
        while page == 2, !isOpen.load(ordering: .relaxed) { try? await Task.sleep(for: .milliseconds(1)) }
        let text = """
            {"shortUrls": {"data": [{"shortCode": "p\(page)", "longUrl": "https://www.example.com/\(page)",
            "hasRedirectRules": false}], "pagination": {"pagesCount": 2}}}
            """
        return [HTTPOutcome(.success(HTTPResponse(status: 200, body: Array(text.utf8))))]
    }

    func obstacle(to url: String) async -> HTTPFailure? {
        url.contains("127.") ? .address(.notPublic, host: url) : nil
    }

    /// Hangs if it is told to.
    @Sendable func database(
        at paths: [String], time: ForeignTime, isStopped: @escaping @Sendable () -> Bool
    ) throws -> (any LinkSource)? {
        if hangs { hang() }
        return nil
    }
}
