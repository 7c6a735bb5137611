import Dispatch

/// The Dispatch sources of one descriptor; closes it when Dispatch has let go of all of them.
///
/// Isolation: the queue of its loop. `@unchecked Sendable` because the sources' handlers, which carry it, run there too.
final class DescriptorSources: @unchecked Sendable {
    private let descriptor: Int32
    private let queue: DispatchQueue
    private let report: (Interest) -> Void
    private var readSource: (any DispatchSourceRead)?
    private var writeSource: (any DispatchSourceWrite)?
    private var isReading = false
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
            // A source that is suspended never gets round to its cancel handler.
            if !isReading { readSource.resume() }
        }
        if let writeSource {
            writeSource.cancel()
            if !isWriting { writeSource.resume() }
        }
    }

    private func resumeReading() {
        if let readSource { return readSource.resume() }
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        readSource = source
        open += 1
        source.setEventHandler { [unowned self] in report(.read) }
        source.setCancelHandler { [self] in sourceEnded() }
        source.resume()
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
