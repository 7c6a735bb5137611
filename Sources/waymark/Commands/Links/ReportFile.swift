import Foundation

/// A report in a file, which replaces an earlier one, or on standard output.
final class ReportFile {
    private let path: String
    private let handle: FileHandle
    private var buffer: [UInt8]

    /// - Parameters:
    ///   - path: `-` is standard output.
    ///   - header: the first lines.
    init(_ path: String, header: String) throws {
        self.path = path
        buffer = Array(header.utf8)
        guard path != "-" else {
            handle = .standardOutput
            return
        }
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let handle = FileHandle(forWritingAtPath: path)
        else { throw CommandFailure.usage("--report: \(path) can't be written") }
        self.handle = handle
    }

    /// - Parameter body: appends lines.
    func write(_ body: (inout [UInt8]) throws -> Void) throws {
        try body(&buffer)
        if buffer.count > 1 << 20 { try flush() }
    }

    func close() throws {
        try flush()
        if path != "-" { try? handle.close() }
    }

    private func flush() throws {
        do {
            try handle.write(contentsOf: Data(buffer))
        } catch {
            throw CommandFailure.failed("\(path == "-" ? "standard output" : path): it can't be written")
        }
        buffer.removeAll(keepingCapacity: true)
    }
}
