import ArgumentParser
import Foundation

/// Ends the process: one line with the reason on standard error, and a status.
enum Exit {
    /// Ends the process with a command's error; help and version are not errors.
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
        if let sentence = UnknownCommand.sentence(CommandLine.arguments.dropFirst()) {
            line(sentence + " (see --help)")
            exit(CommandFailure.usage)
        }
        // The library adds usage lines, but one line should have the error, and --help shows the rest.
        let message = Waymark.message(for: error)
        line(message.split(whereSeparator: \.isNewline).joined(separator: " ") + " (see --help)")
        exit(CommandFailure.usage)
    }

    /// Makes writing to a closed pipe fail, so that the command can say so, instead of ending the process.
    static func reportBrokenPipes() {
        _ = signal(SIGPIPE, SIG_IGN)
    }

    static func line(_ message: String) {
        StandardError.write(message)
    }
}

/// Why a command failed.
struct CommandFailure: Error {
    /// Invalid flags, values, keys or files.
    static let usage: Int32 = 2
    /// All other errors.
    static let failed: Int32 = 1

    let message: String
    let status: Int32

    static func usage(_ message: String) -> CommandFailure { CommandFailure(message: message, status: usage) }
    static func failed(_ message: String) -> CommandFailure { CommandFailure(message: message, status: failed) }
}

/// Output of a command beside its result.
enum StandardError {
    static func write(_ sentence: String) {
        try? FileHandle.standardError.write(contentsOf: Data("waymark: \(sentence.oneLine)\n".utf8))
    }
}
