import Foundation

/// Output of a command beside its result.
enum StandardError {
    static func write(_ sentence: String) {
        try? FileHandle.standardError.write(contentsOf: Data("waymark: \(sentence.oneLine)\n".utf8))
    }
}

/// The result of a command.
enum StandardOutput {
    /// Standard output is buffered if it is not a terminal, but readers need the line now.
    static func flush() {
        fflush(nil)
    }

    /// Makes writing to a closed pipe fail, so that the command can say so, instead of ending the process.
    static func reportBrokenPipes() {
        _ = signal(SIGPIPE, SIG_IGN)
    }
}
