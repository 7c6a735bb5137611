import Foundation
import Logging
import Synchronization
import WaymarkJSON
import WaymarkServer

/// Logs to standard error: time, level, message, metadata, as a line of text or as a JSON object. Level and format can
/// change while the service runs.
///
/// Repeated messages are rate-limited (`LogRateLimiter`): an unavailable store, or a client that keeps sending
/// invalid requests, must not fill a disk.
struct StandardErrorLog: LogHandler {
    private static let level = Mutex(Logger.Level.info)
    private static let format = Mutex(LogFormat.text)
    private static let bound = Mutex(LogRateLimiter())

    var metadata: Logger.Metadata = [:]
    /// The level of the process, not of one logger: SIGHUP may change it.
    var logLevel: Logger.Level {
        get { Self.level.withLock { $0 } }
        set { Self.level.withLock { $0 = newValue } }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    static func set(_ level: LogLevel, _ format: LogFormat) {
        Self.format.withLock { $0 = format }
        let level: Logger.Level =
            switch level {
            case .debug: .debug
            case .info: .info
            case .notice: .notice
            case .warning: .warning
            case .error: .error
            }
        Self.level.withLock { $0 = level }
    }

    func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { _, given in given }
        let now = Date()
        let (isWritten, held) = Self.bound.withLock {
            $0.admit("\(event.level) \(event.message)", at: Int64(now.timeIntervalSince1970))
        }
        if held > 0 {
            Self.write(now, .warning, "\(held) lines were held back in the seconds before", [:])
        }
        if isWritten { Self.write(now, event.level, "\(event.message)", all) }
    }

    private static func write(_ time: Date, _ level: Logger.Level, _ message: String, _ metadata: Logger.Metadata) {
        let pairs = metadata.sorted { $0.key < $1.key }.map { (name: $0.key, value: "\($0.value)") }
        write(line(format.withLock { $0 }, time.ISO8601Format(), "\(level)", message, pairs))
    }

    /// A line without its line feed. In JSON the names of metadata follow `time`, `level` and `message`, as members of
    /// `metadata`, which is absent if there is none.
    static func line(
        _ format: LogFormat, _ time: String, _ level: String, _ message: String,
        _ metadata: [(name: String, value: String)]
    ) -> String {
        switch format {
        case .text:
            return "\(time) \(level) \(message)\(metadata.map { " \($0.name)=\($0.value)" }.joined())"
        case .json:
            var members: JSONObject = [
                "time": JSONValue(time), "level": JSONValue(level), "message": JSONValue(message),
            ]
            if !metadata.isEmpty {
                var pairs = JSONObject()
                for pair in metadata { pairs[pair.name] = JSONValue(pair.value) }
                members["metadata"] = JSONValue(pairs)
            }
            return JSONValue(members).text()
        }
    }

    private static func write(_ line: String) {
        // A closed pipe must not end the service.
        try? FileHandle.standardError.write(contentsOf: Data((line.oneLine + "\n").utf8))
    }
}
