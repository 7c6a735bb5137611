// needs: WaymarkSite WaymarkServer WaymarkSockets WaymarkHTTP WaymarkService WaymarkSQLite WaymarkLinks WaymarkTLS
// links: ssl crypto z sqlite3
// begins with: Tests/Fuzz/BodyCosts
// longest: 512

import Dispatch
import Logging
import WaymarkHTTP
import WaymarkLinks
import WaymarkSQLite
import WaymarkServer
import WaymarkService
import WaymarkSite
import WaymarkSockets
import WaymarkStores
import WaymarkTLS

/// What a body costs against its bytes. The input is a letter that chooses the request, a beginning, a piece and an end, with
/// zero bytes between the last three. The piece is repeated until the body has `size` bytes, and a byte 1 in it stands for the
/// number of the repetition. The whole site answers, a new one each time, and the edges of the program's control flow are
/// counted: they repeat where times do not.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let letter = bytes.first else { return 0 }
    let request = requests[Int(letter) % requests.count]
    let parts = bytes.dropFirst().split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
    let (head, piece, tail) = (parts[0], parts.count > 1 ? parts[1] : [], parts.count > 2 ? parts[2] : [])
    var body = Array(head)
    var number = 0
    while body.count + piece.count + tail.count <= size, !piece.isEmpty {
        for byte in piece {
            if byte == 1 { body += Array(String(number).utf8) } else { body.append(byte) }
        }
        number += 1
    }
    body += tail
    let finished = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var work = 0
    Task.detached { [body] in
        work = await answer(request, body)
        finished.signal()
    }
    finished.wait()
    let bound = 3_000_000 + 300 * body.count
    precondition(
        work <= bound, "\(request.method) \(request.path) of \(body.count) bytes took \(work) edges, more than \(bound)"
    )
    return 0
}

private let size = 65_536

private let requests: [(method: String, path: String)] = [
    ("POST", "/api/v1/links"), ("PATCH", "/api/v1/links/go.example.com/a"), ("POST", "/api/v1/links:batch"),
    ("POST", "/api/v1/resolve"), ("POST", "/api/v1/events"), ("POST", "/api/v1/deferred/claim"),
    ("POST", "/api/v1/explain"), ("POST", "/api/v1/keys"), ("PUT", "/api/v1/apps/other"),
    ("POST", "/api/v1/association/lint"), ("POST", "/api/v1/association/simulate"),
]

/// How often control flow has gone from one block of instructions to another, of all that is built for the fuzzer.
@_silgen_name("waymark_fuzz_edges")
private func edges() -> Int

/// The edges that the answer took.
private func answer(_ request: (method: String, path: String), _ body: [UInt8]) async -> Int {
    let quiet = Logger(label: "fuzz") { _ in SwiftLogNoOpLogHandler() }
    var configuration = ServiceConfiguration()
    let key = "wm_0123456789abcdefghijABCDEFGHIJ0123456789"
    configuration.adminKey = KeyText(key)
    guard let store = try? SQLiteLinkStore(path: ":memory:") else { fatalError("no store") }
    let service = LinkService(
        store: store, configuration: configuration,
        dependencies: ServiceDependencies(
            now: { Timestamp(seconds: 1_795_000_000) },
            randomBytes: { count in (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) } },
            sha256: { SHA256.digest(of: $0) }),
        readApplication: { ApplicationDocument.application($0) }, logger: quiet)
    let shop = #"""
        [{"id": "shop", "name": "Shop", "domains": ["go.example.com"], "web": {"baseURL": "https://shop.example.com"},
          "ios": {"appIDs": ["ABCDE12345.com.example.shop"], "urlScheme": "shop"}}]
        """#
    let link = #"{"slug": "a", "urls": {"web": "https://shop.example.com/"}, "metadata": {"a": 1}}"#
    do {
        try await service.load()
        guard case .definitions(let definitions) = ApplicationsFile.read(Array(shop.utf8)) else {
            fatalError("no shop")
        }
        for definition in definitions { _ = try await service.applications.put(definition, expecting: nil) }
    } catch {
        fatalError("\(error)")
    }
    let site = Site(
        service: service, background: BackgroundWork(of: service, message: EventMessage.body, logger: quiet),
        options: SiteOptions(), logger: quiet)
    let caller = Caller(site, key)
    await caller.send("POST", "/api/v1/links", Array(link.utf8))
    let before = edges()
    await caller.send(request.method, request.path, body)
    let work = edges() - before
    await service.stop()
    return work
}

/// Answers as an event loop would.
private actor Caller {
    private let handler: any RequestHandler
    private let head = RequestHead()
    private let key: String

    init(_ site: Site, _ key: String) {
        handler = site.makeHandler()
        self.key = key
    }

    func send(_ method: String, _ path: String, _ body: [UInt8]) async {
        guard let peer = Peer(addressText: "127.0.0.1") else { fatalError("no peer") }
        let bytes = Array(
            ("\(method) \(path) HTTP/1.1\r\nHost: go.example.com\r\nAuthorization: Bearer \(key)\r\n"
                + "Content-Type: application/json\r\nContent-Length: \(body.count)\r\n\r\n").utf8)
        var parser = RequestParser()
        guard case .head = parser.parse(bytes.span, into: head),
            case .body(_, _, let work) = handler.respond(to: head, in: bytes.span, from: peer)
        else { fatalError("\(path) takes no body") }
        _ = await work(body)
    }
}
