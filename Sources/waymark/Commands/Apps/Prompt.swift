import Foundation

/// Asks a person questions, one line each.
struct Prompt {
    /// Longest answer, in bytes; that of a terminal's line.
    static let limit = 4_096

    /// Shows text without a line's end.
    var write: (String) -> Void
    /// The next line without its end; nil at the end of the input.
    var readLine: () -> String?

    /// The terminal that the command runs in; nil if there is none. Questions go to standard error, so that standard
    /// output has only the result.
    static var terminal: Prompt? {
        guard isatty(FileHandle.standardInput.fileDescriptor) == 1,
            isatty(FileHandle.standardError.fileDescriptor) == 1
        else { return nil }
        return Prompt {
            try? FileHandle.standardError.write(contentsOf: Data($0.utf8))
        } readLine: {
            Swift.readLine(strippingNewline: true)
        }
    }

    /// Asks until the answer is accepted.
    ///
    /// - Parameters:
    ///   - question: without a colon at its end.
    ///   - problem: why an answer is not accepted; nil: it is.
    /// - Throws: `CommandFailure` with status 2 if the input ends before.
    func ask(_ question: String, problem: (String) -> String?) throws -> String {
        while true {
            write("\(question): ")
            guard let line = readLine() else {
                write("\n")
                throw CommandFailure.usage("the input ended before all questions were answered")
            }
            let answer = line.trimmingCharacters(in: .whitespaces)
            guard answer.utf8.count <= Self.limit else {
                write("  The answer is too long.\n")
                continue
            }
            guard let problem = problem(answer) else { return answer }
            write("  \(problem.oneLine)\n")
        }
    }
}
