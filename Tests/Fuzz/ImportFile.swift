// needs: WaymarkClient WaymarkImports WaymarkLinks WaymarkStores
// links: ssl crypto
// begins with: Tests/Fuzz/ImportFiles
// longest: 1024

import Dispatch
import WaymarkClient
import WaymarkImports
import WaymarkLinks
import WaymarkStores

/// What importing a file, or a service's answers, costs against its bytes. The input is a letter that chooses the source, a
/// beginning, a piece and an end, with zero bytes between the last three. The piece is repeated until the file has `size` bytes,
/// and a byte 1 in it stands for the number of the repetition. The rows are checked as in a dry run, and the edges of the
/// program's control flow are counted: they repeat where times do not.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let letter = bytes.first else { return 0 }
    let kind = kinds[Int(letter &- UInt8(ascii: "A")) % kinds.count]
    let parts = bytes.dropFirst().split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
    let (head, piece, tail) = (parts[0], parts.count > 1 ? parts[1] : [], parts.count > 2 ? parts[2] : [])
    var file = Array(head)
    var number = 0
    while file.count + piece.count + tail.count <= size, !piece.isEmpty {
        for byte in piece {
            if byte == 1 { file += Array(String(number).utf8) } else { file.append(byte) }
        }
        number += 1
    }
    file += tail
    if kind.isUTF16 { file = [0xFF, 0xFE] + file.flatMap { [$0, UInt8(0)] } }

    let finished = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var work = 0
    Task.detached { [file] in
        let before = edges()
        await read(kind, file)
        work = edges() - before
        finished.signal()
    }
    finished.wait()
    let bound = 5_000_000 + 3_000 * file.count
    precondition(
        work <= bound, "\(kind.service) of \(file.count) bytes took \(work) edges, more than \(bound)")
    return 0
}

private let size = 65_536

private struct Kind: Sendable {
    var service: ForeignService
    var isUTF16 = false
    var isAnswer = false
}

/// A file of each service from "A" on, two in UTF-16, and the answers of each.
private let kinds =
    ForeignService.allCases.map { Kind(service: $0) }
    + [ForeignService.csv, .yourls].map { Kind(service: $0, isUTF16: true) }
    + ForeignService.allCases.filter(\.hasAPI).map { Kind(service: $0, isAnswer: true) }

/// How often control flow has gone from one block of instructions to another, of all that is built for the fuzzer.
@_silgen_name("waymark_fuzz_edges")
private func edges() -> Int

private func read(_ kind: Kind, _ file: [UInt8]) async {
    guard let host = HostName("go.example.com"), let id = ApplicationID("shop"), let scheme = URLScheme("shop") else {
        fatalError("no shop")
    }
    let application = Application(
        id: id, name: "Shop", domains: [host], ios: IOSIdentity(urlScheme: scheme, appStoreID: "123456789"),
        android: AndroidIdentity(package: "com.example.shop", urlScheme: scheme),
        webBaseURL: WebURL("https://shop.example.com"))
    let preparation = ImportPreparation(
        application, domains: [host], smartlinkHosts: nil, domain: nil, sha256: { Array($0.suffix(32)) })
    let work = LinkImport(into: EmptyTarget(), preparation, isDryRun: true)
    let answers = ServiceConnection(Answers(body: file), pause: { _ in })
    let access = ServiceAccess(key: "key", url: "https://service.example.com")
    var report: [UInt8] = []
    do {
        let source: any LinkSource
        if kind.isAnswer, kind.service.hasListAPI {
            source = try kind.service.links(of: access, over: answers)
        } else {
            let text = kind.isAnswer ? Array("https://a.example.com/a\n".utf8) : file
            let lookup = try ForeignService.branch.branchLookup(access, ForeignTime(), over: answers)
            source = try await kind.service.links(
                in: [
                    ForeignFile(name: "file") {
                        var rest = text[...]
                        return {
                            defer { rest = rest.dropFirst(4_000) }
                            return Array(rest.prefix(4_000))
                        }
                    }
                ], branchLinks: kind.isAnswer ? lookup : nil)
        }
        _ = try await work.run(from: source, report: { ImportReport.append($0, to: &report) })
    } catch {
        precondition(error is SourceError, "\(error)")
    }
}

private struct EmptyTarget: ImportTarget {
    var now: Timestamp { Timestamp(seconds: 1_795_000_000) }
    func find(_ domain: HostName, _ slug: Slug) async throws -> Link? { nil }
    func create(_ links: [NewLink]) async throws -> [CreationOutcome] { [] }
}

/// The same answer to the first requests, whatever they ask for.
private final class Answers: HTTPSending, @unchecked Sendable {
    private let body: [UInt8]
    private var left = 3

    init(body: [UInt8]) { self.body = body }

    func outcomes(
        of requests: [HTTPRequest], while goesOn: @escaping @Sendable (HTTPOutcome) -> Bool
    ) async -> [HTTPOutcome] {
        left -= 1
        return [HTTPOutcome(.success(HTTPResponse(status: left < 0 ? 404 : 200, body: body)))]
    }

    func obstacle(to url: String) async -> HTTPFailure? { nil }
}
