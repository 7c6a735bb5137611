import Foundation
import Logging
import Synchronization

/// Log lines on standard error: time, level, message, metadata. The level can change while the service runs.
struct StandardErrorLog: LogHandler {
    private static let level = Mutex(Logger.Level.info)

    var metadata: Logger.Metadata = [:]
    /// Of the process, not of one logger: SIGHUP may change it.
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
        let line = "\(Date().ISO8601Format()) \(event.level) \(event.message)\(pairs)".oneLine + "\n"
        FileHandle.standardError.write(Data(line.utf8))
    }
}
