import Foundation

/// Reads a file line by line, with one chunk in memory at a time.
final class LineFile {
    /// Entries of an export are far shorter: a longer line means that the file is not an export.
    static let longestLine = 256 << 20
    private static let piece = 1 << 20

    let path: String
    private let handle: FileHandle
    private var buffer: [UInt8] = []
    private var start = 0
    private var isAtEnd = false
    /// The offset after the last returned line, including its newline.
    private(set) var offset = 0
    /// Whether the file ends without a newline: the last line may be incomplete.
    private(set) var endsInLine = false

    /// - Parameter path: `-` for standard input.
    init(_ path: String) throws {
        self.path = path
        if path == "-" {
            handle = .standardInput
            return
        }
        // Safety: Foundation writes one ObjCBool through the pointer during the call.
        var isFolder: ObjCBool = false
        guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw CommandFailure.usage("\(path): the file does not exist")
        }
        guard !isFolder.boolValue, let handle = FileHandle(forReadingAtPath: path) else {
            throw CommandFailure.usage("\(path): the file can't be read")
        }
        self.handle = handle
    }

    /// The next line without its newline; nil at the end. Includes a last line that has none.
    func next() throws -> [UInt8]? {
        var searched = start
        while true {
            if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = Array(buffer[start..<end])
                offset += line.count + 1
                start = end + 1
                return line
            }
            searched = buffer.count
            guard !isAtEnd else {
                guard start < buffer.count else { return nil }
                endsInLine = true
                defer { start = buffer.count }
                return Array(buffer[start...])
            }
            guard buffer.count - start < Self.longestLine else {
                throw CommandFailure.usage("\(path): a line is too long for an export")
            }
            buffer.removeFirst(start)
            searched -= start
            start = 0
            do {
                if let data = try handle.read(upToCount: Self.piece), !data.isEmpty {
                    buffer.append(contentsOf: data)
                } else {
                    isAtEnd = true
                }
            } catch {
                throw CommandFailure.failed("\(path): the file can't be read")
            }
        }
    }

    func close() { try? handle.close() }
}

/// Writes lines in large chunks.
final class LineOutput {
    private static let piece = 1 << 20

    private let handle: FileHandle
    private let name: String
    private var buffer: [UInt8] = []

    init(_ handle: FileHandle, name: String) {
        self.handle = handle
        self.name = name
        buffer.reserveCapacity(Self.piece + 65_536)
    }

    func write(_ line: [UInt8]) throws {
        buffer.append(contentsOf: line)
        buffer.append(UInt8(ascii: "\n"))
        if buffer.count >= Self.piece { try flush() }
    }

    func flush() throws {
        do {
            try handle.write(contentsOf: Data(buffer).forTerminal(handle))
        } catch {
            let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
            let isFull =
                errno == ENOSPC || (error as NSError).code == CocoaError.fileWriteOutOfSpace.rawValue
                || underlying?.code == Int(ENOSPC)
            throw CommandFailure.failed("\(name): \(isFull ? "the disk is full" : "the output can't be written")")
        }
        buffer.removeAll(keepingCapacity: true)
    }
}
