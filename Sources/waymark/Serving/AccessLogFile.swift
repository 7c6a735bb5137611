// Safety: Dispatch's types may be used from any thread; they only lack the annotation.
@unsafe @preconcurrency import Dispatch
import Foundation
import Synchronization
import WaymarkMetrics
import WaymarkServer

/// The access log: one line for each request, on standard output or in a file.
///
/// Event loops only append to a buffer in memory; a dispatch queue writes the buffers, each in one call, so neither a
/// slow terminal nor a full disk blocks a loop. If nothing can be written, the buffer fills up, and further lines are
/// dropped, counted, and, where lines are JSON, reported in the next one.
final class AccessLogFile: Sendable {
    /// The output of the log.
    fileprivate struct Output {
        var path: String?
        /// Standard output's descriptor if there is no path.
        var descriptor = STDOUT_FILENO
        /// Bytes taken from the loops but not written, because a write was incomplete.
        var unsent: [UInt8] = []
    }

    private let output: Mutex<Output>
    private let loops = Mutex<[LoopLog]>([])
    private let queue = DispatchQueue(label: "waymark.access-log", qos: .utility)
    private let timer: any DispatchSourceTimer

    /// - Parameter path: nil for standard output.
    /// - Throws: `CommandFailure` if the file can't be opened.
    init(path: String?) throws {
        output = Mutex(Output())
        timer = DispatchSource.makeTimerSource(queue: queue)
        use(try Opened(path))
        timer.schedule(deadline: .now(), repeating: .milliseconds(250), leeway: .milliseconds(25))
        timer.setEventHandler { [weak self] in self?.writeOut() }
        timer.resume()
    }

    deinit { timer.cancel() }

    /// The log of one event loop.
    func makeLog(_ scope: AccessLogScope, _ format: AccessLogFormat) -> any AccessLog {
        let log = LoopLog(scope: scope, format: format) { [weak self] in
            guard let self else { return }
            queue.async { self.writeOut() }
        }
        loops.withLock { $0.append(log) }
        return log
    }

    /// An open file that is not written to yet; closed if it is never used.
    final class Opened {
        fileprivate let path: String?
        fileprivate let descriptor: Int32
        private var isTaken = false

        /// - Throws: `CommandFailure` if the file can't be opened.
        init(_ path: String?) throws {
            self.path = path
            guard let path else {
                descriptor = STDOUT_FILENO
                return
            }
            // Safety: the path is lent as a C string for the call; strerror's text is copied before anything else can fail.
            descriptor = unsafe Foundation.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o640)
            guard descriptor >= 0 else {
                let reason = unsafe String(cString: strerror(errno))
                throw CommandFailure.usage("accessLogFile: \(path) can't be opened: \(reason)")
            }
        }

        deinit { if path != nil, !isTaken { close(descriptor) } }

        /// Transfers the descriptor to the caller, who closes it.
        fileprivate func take() -> (path: String?, descriptor: Int32) {
            isTaken = true
            return (path, descriptor)
        }
    }

    /// Switches to another file, or to a new one of the same name after log rotation, and closes the old one.
    func use(_ opened: Opened) {
        let (path, descriptor) = opened.take()
        // Buffered lines belong to the old file, where readers of the rotated log expect them.
        queue.sync { writeOut() }
        output.withLock { output in
            if output.path != nil { close(output.descriptor) }
            output.path = path
            output.descriptor = descriptor
        }
    }

    /// Writes buffered lines, for at most one second.
    func flush() {
        let done = DispatchSemaphore(value: 0)
        queue.async {
            self.writeOut()
            done.signal()
        }
        _ = done.wait(timeout: .now() + 1)
    }

    /// Lines written and dropped, for metrics.
    var families: [MetricFamily<Void>] {
        [
            .counter("waymark_access_log_lines_total", "Lines of the access log, those included that were dropped.") {
                self.loops.withLock { $0.reduce(0) { $0 + $1.lines } }
            },
            .counter(
                "waymark_access_log_dropped_lines_total", "Lines that were lost because they could not be written."
            ) {
                self.loops.withLock { $0.reduce(0) { $0 + $1.dropped } }
            },
        ]
    }

    private func writeOut() {
        let loops = loops.withLock { $0 }
        output.withLock { output in
            guard output.writeUnsent() else { return }
            for loop in loops {
                output.unsent = loop.take()
                guard output.writeUnsent() else { return }
            }
        }
    }
}

extension AccessLogFile.Output {
    /// Returns false if bytes are left, which are tried again later.
    fileprivate mutating func writeUnsent() -> Bool {
        while !unsent.isEmpty {
            // Safety: the buffer is lent with its count for the call.
            let count = unsafe unsent.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
            if count == unsent.count {
                unsent = []
            } else if count > 0 {
                unsent.removeFirst(count)
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }
}

/// The buffered lines of one event loop. Its lock is only held while a line is copied.
private final class LoopLog: AccessLog, Sendable {
    private struct Waiting {
        var bytes: [UInt8] = []
        var lines = 0
        var dropped = 0
        /// The part of `dropped` that has not been reported.
        var unsaid = 0
        var isAnnounced = false
    }

    /// In bytes.
    private static let capacity = 2 << 20
    /// From this many bytes, the queue does not wait for its timer.
    private static let announcement = 256 << 10

    let scope: AccessLogScope
    let format: AccessLogFormat
    private let waiting = Mutex(Waiting())
    private let announce: @Sendable () -> Void

    init(scope: AccessLogScope, format: AccessLogFormat, announce: @escaping @Sendable () -> Void) {
        self.scope = scope
        self.format = format
        self.announce = announce
    }

    var lines: Int { waiting.withLock { $0.lines } }
    var dropped: Int { waiting.withLock { $0.dropped } }

    func write(_ line: Span<UInt8>) {
        let isMuch = waiting.withLock { waiting in
            waiting.lines += 1
            guard waiting.bytes.count + line.count <= Self.capacity else {
                waiting.dropped += 1
                waiting.unsaid += 1
                return false
            }
            // Safety: the buffer is copied within the closure.
            unsafe line.withUnsafeBufferPointer { unsafe waiting.bytes.append(contentsOf: $0) }
            guard waiting.bytes.count >= Self.announcement, !waiting.isAnnounced else { return false }
            waiting.isAnnounced = true
            return true
        }
        if isMuch { announce() }
    }

    /// Takes the buffered lines, followed by a line with the number of dropped ones where lines are JSON.
    func take() -> [UInt8] {
        waiting.withLock { waiting in
            var bytes = waiting.bytes
            // The parsers of the Combined Log Format know no such line.
            if waiting.unsaid > 0, format != .combined { bytes += Array("{\"dropped\":\(waiting.unsaid)}\n".utf8) }
            waiting.bytes = []
            // Keeps the capacity, so that a busy log does not grow from zero four times a second.
            waiting.bytes.reserveCapacity(bytes.count)
            waiting.unsaid = 0
            waiting.isAnnounced = false
            return bytes
        }
    }
}
