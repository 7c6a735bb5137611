import Dispatch

/// The Dispatch sources of one descriptor; closes it when Dispatch has released all of them.
///
/// Isolation: its loop's queue. `@unchecked Sendable` because the sources' handlers, which capture it, run there too.
final class DescriptorSources: @unchecked Sendable {
    private let descriptor: Int32
    private let queue: DispatchQueue
    private let report: (Interest) -> Void
    private var readSource: (any DispatchSourceRead)?
    private var writeSource: (any DispatchSourceWrite)?
    private var isReading = false
    /// The end of the stream or a reset has been reported.
    private var isAtEnd = false
    private var isWriting = false
    private var open = 0
    private var isCancelled = false

    init(_ descriptor: Int32, queue: DispatchQueue, report: @escaping (Interest) -> Void) {
        self.descriptor = descriptor
        self.queue = queue
        self.report = report
    }

    func setInterest(_ interest: Interest) {
        let wantsRead = interest.contains(.read)
        if wantsRead != isReading {
            isReading = wantsRead
            if wantsRead { resumeReading() } else { readSource?.suspend() }
        }
        let wantsWrite = interest.contains(.write)
        if wantsWrite != isWriting {
            isWriting = wantsWrite
            if wantsWrite { resumeWriting() } else { writeSource?.suspend() }
        }
    }

    func cancel() {
        guard !isCancelled else { return }
        isCancelled = true
        guard open > 0 else {
            _ = SystemCall.close(descriptor)
            return
        }
        if let readSource {
            readSource.cancel()
            // A suspended source never calls its cancel handler.
            if !isReading { readSource.resume() }
        }
        if let writeSource {
            writeSource.cancel()
            if !isWriting { writeSource.resume() }
        }
    }

    private func resumeReading() {
        if let readSource {
            readSource.resume()
            return reportAgainAtEnd()
        }
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        readSource = source
        open += 1
        source.setEventHandler { [unowned self] in readable() }
        source.setCancelHandler { [self] in sourceEnded() }
        source.resume()
    }

    private func readable() {
        // Zero bytes mean the end of the stream or a reset. Dispatch reports a reset only once, although earlier
        // bytes may still be unread: from here on, this object reports it.
        if readSource?.data == 0 { isAtEnd = true }
        report(.read)
        reportAgainAtEnd()
    }

    private func reportAgainAtEnd() {
        guard isAtEnd, isReading, !isCancelled else { return }
        guard SystemCall.hasInput(descriptor) else {
            isAtEnd = false
            return
        }
        queue.async { [self] in
            guard isReading, !isCancelled else { return }
            report(.read)
            reportAgainAtEnd()
        }
    }

    private func resumeWriting() {
        if let writeSource { return writeSource.resume() }
        let source = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
        writeSource = source
        open += 1
        source.setEventHandler { [unowned self] in report(.write) }
        source.setCancelHandler { [self] in sourceEnded() }
        source.resume()
    }

    private func sourceEnded() {
        open -= 1
        guard open == 0 else { return }
        readSource = nil
        writeSource = nil
        _ = SystemCall.close(descriptor)
    }
}
