import Foundation
import Logging
import Synchronization
import WaymarkServer

/// Logs to standard error: time, level, message, metadata. The level can change while the service runs.
///
/// Repeated messages are rate-limited (`LogRateLimiter`): an unavailable store, or a client that keeps sending
/// invalid requests, must not fill a disk.
struct StandardErrorLog: LogHandler {
    private static let level = Mutex(Logger.Level.info)
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

    static func set(_ level: LogLevel) {
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
        let pairs = all.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
        let now = Date()
        let (isWritten, held) = Self.bound.withLock {
            $0.admit("\(event.level) \(event.message)", at: Int64(now.timeIntervalSince1970))
        }
        if held > 0 { Self.write("\(now.ISO8601Format()) warning \(held) lines were held back in the seconds before") }
        if isWritten { Self.write("\(now.ISO8601Format()) \(event.level) \(event.message)\(pairs)") }
    }

    private static func write(_ line: String) {
        // A closed pipe must not end the service.
        try? FileHandle.standardError.write(contentsOf: Data((line.oneLine + "\n").utf8))
    }
}

/// Standard output is buffered if it is not a terminal, but readers need the line now.
func flushStandardOutput() {
    fflush(nil)
}
