// Safety: Dispatch's types may be used from any thread; they only lack the annotation.
@unsafe @preconcurrency import Dispatch
import Foundation
import Synchronization
import WaymarkMetrics
import WaymarkServer

/// The access log: one JSON object a line, on standard output or in a file.
///
/// Event loops only append to memory of their own; what waits is written out by a queue, all of it in one call, so neither
/// a slow terminal nor a full disk holds a loop up. While nothing can be written the memory fills, and what does not fit
/// any more is dropped, counted, and said so in the next line.
final class AccessLogFile: Sendable {
    /// Where lines go.
    fileprivate struct Output {
        var path: String?
        /// Standard output's own number where there is no path.
        var descriptor = STDOUT_FILENO
        /// Taken from the loops and not written yet, because writing failed in the middle.
        var unsent: [UInt8] = []
    }

    private let output: Mutex<Output>
    private let loops = Mutex<[LoopLog]>([])
    private let queue = DispatchQueue(label: "waymark.access-log", qos: .utility)
    private let timer: any DispatchSourceTimer

    /// - Parameter path: nil for standard output.
    /// - Throws: `CommandFailure` where the file can't be opened.
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
    func makeLog(_ scope: AccessLogScope) -> any AccessLog {
        let log = LoopLog(scope: scope) { [weak self] in
            guard let self else { return }
            queue.async { self.writeOut() }
        }
        loops.withLock { $0.append(log) }
        return log
    }

    /// A file that is open, and not written to yet; closed where nobody uses it.
    final class Opened {
        fileprivate let path: String?
        fileprivate let descriptor: Int32
        private var isTaken = false

        /// - Throws: `CommandFailure` where the file can't be opened.
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

        /// From now on the caller closes it.
        fileprivate func take() -> (path: String?, descriptor: Int32) {
            isTaken = true
            return (path, descriptor)
        }
    }

    /// Goes on in another file, or in a new one of the same name, so that one that was moved away by a log rotation is let
    /// go of.
    func use(_ opened: Opened) {
        let (path, descriptor) = opened.take()
        // What waits belongs to the old file: a rotation's reader expects it there.
        queue.sync { writeOut() }
        output.withLock { output in
            if output.path != nil { close(output.descriptor) }
            output.path = path
            output.descriptor = descriptor
        }
    }

    /// Writes what waits, as far as that is possible within a second.
    func flush() {
        let done = DispatchSemaphore(value: 0)
        queue.async {
            self.writeOut()
            done.signal()
        }
        _ = done.wait(timeout: .now() + 1)
    }

    /// Lines taken and lines dropped, for metrics.
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
    /// False where something is left, which is tried again later.
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

/// The lines of one event loop that wait to be written. Its lock is held for as long as it takes to copy a line.
private final class LoopLog: AccessLog, Sendable {
    private struct Waiting {
        var bytes: [UInt8] = []
        var lines = 0
        var dropped = 0
        /// Of `dropped`, what has not been said yet.
        var unsaid = 0
        var isAnnounced = false
    }

    /// In bytes.
    private static let capacity = 2 << 20
    /// With so many bytes the queue does not wait for its timer.
    private static let announcement = 256 << 10

    let scope: AccessLogScope
    private let waiting = Mutex(Waiting())
    private let announce: @Sendable () -> Void

    init(scope: AccessLogScope, announce: @escaping @Sendable () -> Void) {
        self.scope = scope
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

    /// What waits, and in its last line what was lost.
    func take() -> [UInt8] {
        waiting.withLock { waiting in
            var bytes = waiting.bytes
            if waiting.unsaid > 0 { bytes += Array("{\"dropped\":\(waiting.unsaid)}\n".utf8) }
            waiting.bytes = []
            // As much as before, so that a busy log does not grow from nothing four times a second.
            waiting.bytes.reserveCapacity(bytes.count)
            waiting.unsaid = 0
            waiting.isAnnounced = false
            return bytes
        }
    }
}
