import Foundation

/// A secret from a file or from standard input: arguments are seen by other users, and kept by the shell's history.
enum SecretFile {
    /// The first line.
    ///
    /// - Parameters:
    ///   - file: `-` for standard input.
    ///   - flag: that names the file.
    /// - Throws: `CommandFailure` without the secret.
    static func line(_ file: String, of flag: String) throws -> String {
        let isInput = file == "-"
        guard let handle = isInput ? FileHandle.standardInput : FileHandle(forReadingAtPath: file) else {
            throw CommandFailure.usage("\(flag): \(file) can't be read")
        }
        // A pipe may give less at a time than it has.
        var data = Data()
        while data.count <= HiddenInput.limit, !data.contains(0x0A),
            let piece = try? handle.read(upToCount: HiddenInput.limit + 1), !piece.isEmpty
        {
            data += piece
        }
        let line = data.prefix { $0 != 0x0A && $0 != 0x0D }
        guard !line.isEmpty else {
            throw CommandFailure.usage("\(flag): the first line of \(isInput ? "standard input" : file) is empty")
        }
        guard line.count <= HiddenInput.limit else { throw CommandFailure.usage("\(flag): the first line is too long") }
        return String(decoding: line, as: UTF8.self)
    }
}
