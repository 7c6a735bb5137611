import CWaymarkZlib
import FoundationEssentials
import Glibc
import Testing
import WaymarkHTTP
import WaymarkServer
import WaymarkSockets

/// A folder `public` in a place of its own, removed in the end.
final class ServedTree: Sendable {
    let root: String

    init() throws {
        var template = Array("/tmp/waymark-files-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        root = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        try #require(mkdir(root + "/public", 0o755) == 0)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: root)
    }

    func path(_ name: String) -> String { root + "/public/" + name }

    func folder(_ name: String) { mkdir(path(name), 0o755) }

    func write(_ name: String, _ bytes: [UInt8]) {
        let descriptor = open(path(name), O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { break }
            written += count
        }
        close(descriptor)
    }

    func write(_ name: String, _ text: String) { write(name, Array(text.utf8)) }

    /// Sets the time of the last change, in Unix seconds.
    func date(_ name: String, _ seconds: Int) {
        let times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
        utimensat(AT_FDCWD, path(name), times, 0)
    }
}

/// Answers everything below one segment with files; the segment says nothing.
final class FileHandler: RequestHandler {
    let files: StaticFiles

    init(_ files: StaticFiles) { self.files = files }

    func respond(to head: RequestHead, in bytes: Span<UInt8>, from peer: Peer) -> Reply {
        let request = StaticFileRequest(head, in: bytes, droppingSegments: 1)
        let files = files
        return .later {
            switch await files.serve(request) {
            case .response(let response): response
            case .notFound: Response(.notFound)
            case .preconditionFailed: Response(.preconditionFailed)
            case .rangeNotSatisfiable(let fields): Response(.rangeNotSatisfiable, fields: fields)
            case .failed: Response(.serviceUnavailable)
            }
        }
    }

    func refusal(_ status: Status, detail: StaticString) -> Response { Response(status) }
}

/// A server of a tree's files, for the length of one test.
func withFiles(
    of tree: ServedTree, _ kind: EventLoopKind = .standard, compression: CompressionCache = CompressionCache(),
    _ body: (FileClient) async throws -> Void
) async throws {
    let files = try StaticFiles(root: tree.path(""), compression: compression)
    var configuration = ServerConfiguration(listeners: [.init(HostAndPort(host: "127.0.0.1", port: 0))])
    configuration.eventLoop = kind
    configuration.limits.shutdownGrace = .seconds(2)
    let server = try await Server.start(configuration) { FileHandler(files) }
    do {
        try await body(FileClient(address: server.listeners[0].address, files: files))
    } catch {
        await server.drain()
        throw error
    }
    await server.drain()
}

/// Asks for files, each on a connection of its own.
struct FileClient {
    let address: SocketAddress
    let files: StaticFiles

    func get(_ path: String, _ fields: String..., method: String = "GET") async throws -> RawResponse {
        let client = try RawClient(address)
        await client.send("\(method) \(path) HTTP/1.1\r\nHost: a\r\n\(fields.map { $0 + "\r\n" }.joined())\r\n")
        return try await client.readResponse(isHead: method == "HEAD")
    }

    func head(_ path: String, _ fields: String...) async throws -> RawResponse {
        let client = try RawClient(address)
        await client.send("HEAD \(path) HTTP/1.1\r\nHost: a\r\n\(fields.map { $0 + "\r\n" }.joined())\r\n")
        return try await client.readResponse(isHead: true)
    }
}

/// What gzip unpacks to, by zlib; nil where it is no whole gzip.
func unzipped(_ bytes: [UInt8], limit: Int = 16 << 20) -> [UInt8]? {
    var output = [UInt8](repeating: 0, count: limit)
    var input = bytes
    var stream = z_stream()
    guard inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else { return nil }
    defer { inflateEnd(&stream) }
    let isWhole = input.withUnsafeMutableBufferPointer { input in
        output.withUnsafeMutableBufferPointer { output in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(input.count)
            stream.next_out = output.baseAddress
            stream.avail_out = UInt32(output.count)
            return inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_in == 0
        }
    }
    return isWhole ? Array(output.prefix(Int(stream.total_out))) : nil
}
