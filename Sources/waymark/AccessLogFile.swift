@preconcurrency import Dispatch
import Foundation
import Synchronization
import WaymarkJSON
import WaymarkServer

/// The access log: one JSON object a line, on standard output.
///
/// Event loops only append to memory; a timer writes it out, so a slow terminal or pipe never holds a loop up. What does
/// not fit into the memory is dropped and said so in the next line.
final class AccessLogFile: Sendable {
    /// In bytes, for all loops together.
    private static let capacity = 4 << 20

    private struct Waiting {
        var bytes: [UInt8] = []
        var dropped = 0
    }

    private let waiting = Mutex(Waiting())
    private let queue = DispatchQueue(label: "waymark.access-log")
    private let timer: any DispatchSourceTimer

    init() {
        timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now(), repeating: .milliseconds(250))
        timer.setEventHandler { [weak self] in self?.writeOut() }
        timer.resume()
    }

    /// The log of one event loop.
    func makeLog(_ scope: AccessLogScope) -> any AccessLog { LoopLog(file: self, scope: scope) }

    /// Writes what waits; returns when it is written.
    func flush() {
        queue.sync { writeOut() }
    }

    fileprivate func append(_ line: [UInt8]) {
        waiting.withLock { waiting in
            if waiting.bytes.count + line.count > Self.capacity {
                waiting.dropped += 1
            } else {
                waiting.bytes += line
            }
        }
    }

    private func writeOut() {
        var (bytes, dropped) = waiting.withLock { waiting in
            defer { waiting = Waiting() }
            return (waiting.bytes, waiting.dropped)
        }
        if dropped > 0 { bytes += Array("{\"dropped\":\(dropped)}\n".utf8) }
        guard !bytes.isEmpty else { return }
        // A closed pipe must not end the service.
        try? FileHandle.standardOutput.write(contentsOf: Data(bytes))
    }

    private final class LoopLog: AccessLog {
        let scope: AccessLogScope
        private let file: AccessLogFile

        init(file: AccessLogFile, scope: AccessLogScope) {
            self.file = file
            self.scope = scope
        }

        func record(_ entry: AccessLogEntry) {
            // A redirect that had to wait for the store is a redirect all the same.
            if scope == .waiting, entry.status < 500, !entry.target.starts(with: Array("/api/".utf8)) { return }
            var writer = JSONWriter(capacity: 320)
            writer.beginObject()
            writer.member("time", Date().ISO8601Format(.iso8601(timeZone: .gmt, includingFractionalSeconds: true)))
            writer.member("client", entry.peer.addressText)
            writer.member("method", entry.method)
            // The query of a request may hold what its sender holds for private.
            let path = entry.target.prefix { $0 != UInt8(ascii: "?") }
            writer.member("path", String(decoding: path, as: UTF8.self))
            writer.member("host", String(decoding: entry.host, as: UTF8.self))
            writer.member("userAgent", String(decoding: entry.userAgent, as: UTF8.self))
            writer.member("status", entry.status)
            writer.member("bytes", entry.bodyBytes)
            let (seconds, attoseconds) = entry.duration.components
            writer.member("microseconds", Int(seconds) * 1_000_000 + Int(attoseconds / 1_000_000_000_000))
            writer.endObject()
            file.append(writer.bytes + [UInt8(ascii: "\n")])
        }
    }
}
