import ArgumentParser
import Foundation

/// Ends the process: one line with the reason on standard error, and a status.
enum Exit {
    /// Ends the process with a command's error; help and version are not errors.
    static func with(_ error: any Error) -> Never {
        if let failure = error as? CommandFailure {
            StandardError.write(failure.message)
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
            StandardError.write(sentence + " (see --help)")
            exit(CommandFailure.usage)
        }
        // The library adds usage lines, but one line should have the error, and --help shows the rest.
        let message = Waymark.message(for: error)
        StandardError.write(message.split(whereSeparator: \.isNewline).joined(separator: " ") + " (see --help)")
        exit(CommandFailure.usage)
    }
}
