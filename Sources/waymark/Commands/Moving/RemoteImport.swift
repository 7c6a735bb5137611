import Foundation
import WaymarkAPI
import WaymarkBytes
import WaymarkClient
import WaymarkImports
import WaymarkJSON
import WaymarkSite

/// `waymark links import` with `--url`: the server does the work, the command uploads, waits and writes the report.
struct RemoteImport {
    let api: RemoteAPI
    let options: ImportOptions
    let app: String?
    let domain: String?
    let isDryRun: Bool
    let report: String?

    /// Returns the counts of all rows.
    func run() async throws -> ImportSummary {
        let started = try await start()
        StandardError.write("import \(started.id) runs on the server")
        let ended = try await wait(for: started)
        if let report { try await write(report, of: ended) }
        switch ended.state {
        case .failed: throw CommandFailure.usage(ended.error ?? "the import failed")
        case .stopped: throw CommandFailure.failed("the import was stopped after \(ended.counts.rows.counted("row"))")
        case .running, .stopping, .finished: return ImportSummary(counts: ended.counts, notes: ended.notes)
        }
    }

    private func start() async throws -> ImportResponse {
        var body = ImportRequest(source: try options.service.rawValue, app: app, domain: domain, dryRun: isDryRun)
        body.timeZone = options.timeZone
        _ = try options.time
        let credentials = options.key.map { ImportRequest.Credentials(apiKey: $0, apiURL: options.apiURL) }
        let answer: HTTPResponse
        if options.files.isEmpty {
            guard try options.service.hasAPI, let credentials else {
                throw CommandFailure.usage(try options.service.hasAPI ? "give a file, or --api-key" : "give a file")
            }
            body.credentials = credentials
            answer = try await api.send(APIRequest(method: "POST", target: Endpoint.imports, body: body.json))
        } else {
            body.credentials = try options.service == .branch ? credentials : nil
            let upload = try ImportUploadBody(body, map: options.map, files: options.files)
            answer = try await api.upload(Endpoint.imports, contentType: upload.contentType, upload.stream)
        }
        guard answer.status == 202, let started = ImportResponse(json: answer.body) else {
            let problem = Problem(json: answer.body)
            let sentence = APIFailure.sentence(answer)
            // What the local import finds wrong with its arguments.
            throw problem?.known == .invalidFields ? CommandFailure.usage(sentence) : CommandFailure.failed(sentence)
        }
        return started
    }

    private func wait(for started: ImportResponse) async throws -> ImportResponse {
        let bar = ProgressBar(isDryRun ? "checking links" : "importing links", all: 0)
        defer { bar.end() }
        var current = started
        var pause = 50
        while current.state == .running || current.state == .stopping {
            try await Task.sleep(for: .milliseconds(pause))
            pause = min(pause * 2, 1_000)
            let answer = try await api.send(
                APIRequest(method: "GET", target: Endpoint.linkImport(started.id), body: nil))
            if answer.status == 404 {
                throw CommandFailure.failed(
                    "the server no longer knows the import, as after a restart; run the same command again, it goes on")
            }
            guard answer.status == 200, let next = ImportResponse(json: answer.body) else {
                // It may only be busy; the import goes on.
                guard answer.status == 429 || answer.status == 503 else {
                    throw CommandFailure.failed(APIFailure.sentence(answer))
                }
                continue
            }
            current = next
            let (rows, read, all) = (current.counts.rows, current.fileBytesRead, current.fileBytes)
            bar.show(rows, of: read > 0 ? Int(Double(rows) * max(1, Double(all) / Double(read))) : 0)
        }
        return current
    }

    private func write(_ path: String, of ended: ImportResponse) async throws {
        let answer = try await api.send(
            APIRequest(method: "GET", target: Endpoint.linkImport(ended.id) + "?format=csv", body: nil))
        guard answer.status == 200 else { throw CommandFailure.failed(APIFailure.sentence(answer)) }
        let file = try ReportFile(path, header: "")
        try file.write { $0 += answer.body }
        try file.close()
        if !ended.isReportComplete {
            StandardError.write(
                "the report ends before the last row: the server keeps no more of it; the counts are complete")
        }
    }
}

/// What the command prints at the end.
struct ImportSummary {
    let counts: ImportResponse.Counts
    let notes: [String]

    var json: JSONValue {
        [
            "rows": JSONValue(counts.rows), "created": JSONValue(counts.created), "same": JSONValue(counts.same),
            "clash": JSONValue(counts.clash), "refused": JSONValue(counts.refused),
            "notes": JSONValue(notes.map { JSONValue($0) }),
        ]
    }

    func text(isDryRun: Bool) -> String {
        let made = isDryRun ? "would be created" : "created"
        let line =
            "\(counts.rows.counted("row")): \(counts.created) \(made), \(counts.same) there already, "
            + "\(counts.clash) clash, \(counts.refused) refused"
        return ([line] + notes.map { "note: \($0)" }).joined(separator: "\n")
    }
}

extension ImportResponse.Counts {
    var isComplete: Bool { clash == 0 && refused == 0 }

    init(_ counts: ImportCounts) {
        self.init(
            rows: counts.rows, created: counts.created, same: counts.same, clash: counts.clash, refused: counts.refused)
    }
}

/// The form of an import, read from its files while it is sent.
struct ImportUploadBody {
    let contentType: String
    let stream: HTTPRequest.BodyStream

    /// - Throws: `CommandFailure` if a file can't be read.
    init(_ request: ImportRequest, map: [String], files: [String]) throws {
        let boundary = "waymark-" + (0..<4).map { _ in String(UInt32.random(in: .min ... .max), radix: 36) }.joined()
        contentType = "multipart/form-data; boundary=\(boundary)"
        var fields = [("source", request.source)]
        for (name, value) in [("app", request.app), ("domain", request.domain), ("timeZone", request.timeZone)] {
            if let value { fields.append((name, value)) }
        }
        if request.dryRun { fields.append(("dryRun", "true")) }
        fields += map.map { ("map", $0) }
        if let credentials = request.credentials {
            var value: JSONObject = ["apiKey": JSONValue(credentials.apiKey)]
            if let url = credentials.apiURL { value["apiURL"] = JSONValue(url) }
            fields.append(("credentials", JSONValue(value).text()))
        }
        var start = ""
        for (name, value) in fields {
            start += "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
        }
        let progress = ReadingProgress()
        var parts: [UploadReader.Part] = [.bytes(Array(start.utf8))]
        for path in files {
            try progress.expect(path)
            let name = (path as NSString).lastPathComponent
                .replacing("\"", with: "%22").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
            let head = "--\(boundary)\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(name)\"\r\n\r\n"
            parts += [.bytes(Array(head.utf8)), .file(path), .bytes(Array("\r\n".utf8))]
        }
        parts.append(.bytes(Array("--\(boundary)--\r\n".utf8)))
        let framing = parts.reduce(0) { if case .bytes(let bytes) = $1 { $0 + bytes.count } else { $0 } }
        // Standard input has no length.
        let length = files.contains("-") ? nil : framing + progress.size
        let reader = UploadReader(parts, progress, all: length)
        stream = HTTPRequest.BodyStream(length: length) { () throws(CommandFailure) in try reader.next() }
    }
}

/// `@unchecked Sendable` because one thread reads it, the one that sends the body.
private final class UploadReader: @unchecked Sendable {
    enum Part {
        case bytes([UInt8])
        case file(String)
    }

    private var parts: ArraySlice<Part>
    private var file: (() throws -> [UInt8])?
    private let progress: ReadingProgress
    private let bar: ProgressBar
    private let all: Int
    private var sent = 0

    init(_ parts: [Part], _ progress: ReadingProgress, all: Int?) {
        self.parts = parts[...]
        self.progress = progress
        self.all = all ?? 0
        bar = ProgressBar("uploading bytes", all: 0)
    }

    func next() throws(CommandFailure) -> [UInt8] {
        do {
            while true {
                if let file {
                    let piece = try file()
                    if !piece.isEmpty { return noted(piece) }
                    self.file = nil
                }
                switch parts.popFirst() {
                case .bytes(let bytes): return noted(bytes)
                case .file(let path): file = try progress.reader(path)
                case nil:
                    bar.end()
                    return []
                }
            }
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure.usage("\(error)")
        }
    }

    private func noted(_ piece: [UInt8]) -> [UInt8] {
        sent += piece.count
        bar.show(sent, of: all)
        return piece
    }
}
