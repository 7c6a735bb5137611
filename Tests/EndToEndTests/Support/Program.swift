import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// One run of `waymark`. Its output goes to files, because a pipe that nobody empties would stop it.
final class Program: Sendable {
    /// How a run ended.
    enum End: Equatable {
        case exit(Int32)
        case signal(Int32)
    }

    let identifier: pid_t
    private let process: Process
    private let ended = DispatchSemaphore(value: 0)
    private let output: URL
    private let errors: URL

    /// - Parameters:
    ///   - folder: where it runs; its output goes there too.
    ///   - environment: all that it gets besides what a program needs to be loaded.
    ///   - wrapper: a program, with its arguments, that is to become `waymark`.
    ///   - input: what it reads from standard input; nil: nothing.
    ///   - stream: what it reads from standard input bit by bit, in place of `input`.
    init(
        _ arguments: [String], in folder: URL, environment: [String: String] = [:], wrapper: [String] = [],
        input: String? = nil, stream: Pipe? = nil
    ) throws {
        let name = UUID().uuidString
        output = folder.appendingPathComponent("\(name).out")
        errors = folder.appendingPathComponent("\(name).err")
        for file in [output, errors] { try Data().write(to: file) }

        process = Process()
        let command = wrapper + [Executable.url.path] + arguments
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        process.currentDirectoryURL = folder
        process.environment = Self.base.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        var handles = [try FileHandle(forWritingTo: output), try FileHandle(forWritingTo: errors)]
        // Closed here, because a `Process` holds its handles for as long as the tests run.
        defer { for handle in handles { try? handle.close() } }
        process.standardOutput = handles[0]
        process.standardError = handles[1]
        if let input {
            let file = folder.appendingPathComponent("\(name).in")
            try Data(input.utf8).write(to: file)
            handles.append(try FileHandle(forReadingFrom: file))
            process.standardInput = handles[2]
        }
        if let stream { process.standardInput = stream }
        process.terminationHandler = { [ended] _ in ended.signal() }
        try process.run()
        identifier = process.processIdentifier
    }

    deinit {
        if process.isRunning { _ = kill(identifier, SIGKILL) }
    }

    /// A crash must end the process at once: the backtracer would hold its files open.
    private static let base: [String: String] = {
        var base = ["SWIFT_BACKTRACE": "enable=no"]
        for name in ["PATH", "HOME", "LD_LIBRARY_PATH", "TMPDIR"] {
            base[name] = ProcessInfo.processInfo.environment[name]
        }
        return base
    }()

    /// What it wrote to standard output so far.
    var outputText: String { (try? String(contentsOf: output, encoding: .utf8)) ?? "" }

    /// What it wrote to standard error so far.
    var errorText: String { (try? String(contentsOf: errors, encoding: .utf8)) ?? "" }

    var errorLines: [String] { errorText.split(whereSeparator: \.isNewline).map(String.init) }

    var isRunning: Bool { process.isRunning }

    func send(signal: Int32) {
        guard process.isRunning else { return }
        _ = kill(identifier, signal)
    }

    /// Waits for its end.
    @discardableResult
    func wait(atMost seconds: Double = 30) throws -> End {
        guard ended.wait(timeout: .now() + seconds) == .success else {
            throw DidNotHappen(description: "waymark did not end within \(seconds) s; it said: \(errorText)")
        }
        // For whoever waits a second time.
        ended.signal()
        return process.terminationReason == .exit
            ? .exit(process.terminationStatus) : .signal(process.terminationStatus)
    }
}
