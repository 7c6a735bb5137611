import ArgumentParser
import Foundation

/// How the process ends: one line on standard error that says why, and a status.
enum Exit {
    /// Ends the process for what a command threw; help and version are no errors.
    static func with(_ error: any Error) -> Never {
        if let failure = error as? CommandFailure {
            line(failure.message)
            exit(failure.status)
        }
        if let status = error as? ExitCode {
            exit(status.rawValue)
        }
        if Waymark.exitCode(for: error) == .success {
            print(Waymark.fullMessage(for: error))
            exit(0)
        }
        // The library adds usage lines; one line must name the mistake, and --help has the rest.
        let message = Waymark.message(for: error)
        line(message.split(whereSeparator: \.isNewline).joined(separator: " ") + " (see --help)")
        exit(CommandFailure.usage)
    }

    static func line(_ message: String) {
        FileHandle.standardError.write(Data("waymark: \(message.oneLine)\n".utf8))
    }
}

/// Why a command ends without having done its work.
struct CommandFailure: Error {
    /// Wrong flags, values, keys or files.
    static let usage: Int32 = 2
    /// Everything else.
    static let failed: Int32 = 1

    let message: String
    let status: Int32

    static func usage(_ message: String) -> CommandFailure { CommandFailure(message: message, status: usage) }
    static func failed(_ message: String) -> CommandFailure { CommandFailure(message: message, status: failed) }
}

extension String {
    /// The text on one line, whatever a file name or a value held.
    var oneLine: String {
        String(map { $0.isNewline ? " " : $0 })
    }
}
