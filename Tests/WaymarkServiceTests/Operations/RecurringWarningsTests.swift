import Logging
import Synchronization
import Testing

@testable import WaymarkService

@Suite struct RecurringWarningsTests {
    private final class Lines: Sendable {
        let lines = Mutex<[String]>([])
        let now = Mutex(ContinuousClock.now)
    }

    private struct Handler: LogHandler {
        let lines: Lines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.info
        subscript(metadataKey key: String) -> Logger.MetadataValue? {
            get { nil }
            set {}
        }

        func log(event: LogEvent) { lines.lines.withLock { $0.append("\(event.message)") } }
    }

    private static func warnings(quietFor quiet: Duration) -> (RecurringWarnings, Lines) {
        let lines = Lines()
        let logger = Logger(label: "test") { _ in Handler(lines: lines) }
        return (RecurringWarnings(logger, quietFor: quiet) { lines.now.withLock { $0 } }, lines)
    }

    @Test func `a problem is logged once, and its end`() {
        let (warnings, lines) = Self.warnings(quietFor: .zero)
        for _ in 0..<2 {
            warnings.settle(.spool, "over")
            for _ in 0..<3 { warnings.raise(.spool, "here") }
        }
        warnings.settle(.spool, "over")
        #expect(lines.lines.withLock { $0 } == ["here", "over", "here", "over"])
    }

    @Test func `a problem that comes and goes is logged at times`() {
        let (warnings, lines) = Self.warnings(quietFor: .seconds(300))
        for second in 0..<1_000 {
            warnings.raise(.shipping, kind: second.isMultiple(of: 2) ? "a" : "b", "away \(second)")
            warnings.settle(.shipping, "back \(second)")
            lines.now.withLock { $0 += .seconds(1) }
        }
        #expect(
            lines.lines.withLock { $0 } == [
                "away 0", "back 0", "away 300", "back 300", "away 600", "back 600", "away 900", "back 900",
            ])
    }

    @Test func `a problem that stays is logged after the quiet time`() {
        let (warnings, lines) = Self.warnings(quietFor: .seconds(300))
        warnings.raise(.shipping, "first")
        warnings.settle(.shipping, "over")
        for _ in 0..<400 {
            warnings.raise(.shipping, kind: "other", "second")
            lines.now.withLock { $0 += .seconds(1) }
        }
        warnings.settle(.shipping, "over")
        #expect(lines.lines.withLock { $0 } == ["first", "over", "second", "over"])
    }
}
