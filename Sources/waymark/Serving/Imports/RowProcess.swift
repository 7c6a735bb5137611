import Foundation
import WaymarkImports
import WaymarkSQLite

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// This program as a process of its own that writes rows to a pipe. It inherits the pipe, and neither other descriptors nor
/// the environment, which may have keys.
///
/// Safety: what is passed to C lives during the call, and the process is used by one import at a time.
final class RowProcess {
    private var identifier: pid_t
    private let descriptor: Int32
    private let isStopped: @Sendable () -> Bool

    /// - Parameter isStopped: Asked while rows are awaited; the process ends then.
    /// - Throws: `SourceError`.
    init(
        _ arguments: [String], of program: String = RowProcess.program, isStopped: @escaping @Sendable () -> Bool
    ) throws {
        self.isStopped = isStopped
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0, let reading = ends.first, let writing = ends.last else { throw Self.noProcess }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(reading, F_SETFL, O_NONBLOCK)
        descriptor = reading
        identifier = Self.spawn(program, arguments, output: writing)
        close(writing)
        guard identifier > 0 else { throw Self.noProcess }
    }

    deinit {
        end()
        close(descriptor)
    }

    private static var noProcess: SourceError {
        SourceError("no process can be started to read the database; try again")
    }

    /// The next rows; empty at the end.
    func read() async throws -> [UInt8] {
        var milliseconds = 1
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            if isStopped() {
                end()
                throw CancellationError()
            }
            let count = unsafe piece.withUnsafeMutableBytes { unsafe systemRead(descriptor, $0.baseAddress, $0.count) }
            if count > 0 { return Array(piece.prefix(count)) }
            if count == 0 { break }
            guard errno == EAGAIN || errno == EINTR else { throw Self.noProcess }
            try await Task.sleep(for: .milliseconds(milliseconds))
            milliseconds = min(50, milliseconds * 2)
        }
        if let problem = Self.problem(await status()) { throw SourceError(problem) }
        return []
    }

    /// Of the process, which has closed its end of the pipe. One that does not end is killed.
    private func status() async -> Int32 {
        var status: Int32 = 0
        for _ in 0..<500 {
            guard identifier > 0 else { return status }
            let found = unsafe waitpid(identifier, &status, WNOHANG)
            if found != 0 {
                identifier = -1
                // Without its status nobody knows whether these are all rows.
                return found > 0 ? status : SIGKILL
            }
            try? await Task.sleep(for: .milliseconds(10))
        }
        end()
        return SIGKILL
    }

    private func end() {
        guard identifier > 0 else { return }
        _ = kill(identifier, SIGKILL)
        var status: Int32 = 0
        while unsafe waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        identifier = -1
    }

    static func status(of failure: ForeignDatabase.Failure) -> Int32 {
        switch failure {
        case .unreadable: 3
        case .noTable: 4
        case .tooLarge: 5
        }
    }

    private static func problem(_ status: Int32) -> String? {
        let exit = (status >> 8) & 0xFF
        guard status & 0x7F == 0 else { return "reading the database takes more time or memory than it may" }
        switch exit {
        case 0: return nil
        case Self.status(of: .unreadable):
            return "the database can't be read; stop Kutt, then copy the database with its -wal file"
        case Self.status(of: .noTable): return "the database has no tables of links and domains as Kutt has them"
        case Self.status(of: .tooLarge): return "the database has more than can be in its file, or a value is too long"
        default: return "the process that reads the database failed with status \(exit)"
        }
    }

    /// This one.
    static var program: String {
        #if os(Linux)
            // Also where the file was replaced by an upgrade.
            "/proc/self/exe"
        #else
            Bundle.main.executablePath ?? ""
        #endif
    }

    private static func spawn(_ program: String, _ arguments: [String], output: Int32) -> pid_t {
        #if os(Linux)
            var actions = unsafe posix_spawn_file_actions_t()
        #else
            var actions: posix_spawn_file_actions_t?
        #endif
        guard unsafe posix_spawn_file_actions_init(&actions) == 0 else { return -1 }
        defer { _ = unsafe posix_spawn_file_actions_destroy(&actions) }
        _ = unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        _ = unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
        _ = unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        for number in heritableDescriptors { _ = unsafe posix_spawn_file_actions_addclose(&actions, number) }
        // What the loader needs where Swift's libraries are not beside the program.
        let environment = ["LD_LIBRARY_PATH", "PATH"].compactMap { name in
            ProcessInfo.processInfo.environment[name].map { "\(name)=\($0)" }
        }
        var texts = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
        var variables = unsafe (environment + ["SWIFT_BACKTRACE=enable=no"]).map { unsafe strdup($0) } + [nil]
        defer { unsafe (texts + variables).forEach { unsafe free($0) } }
        var identifier: pid_t = -1
        guard unsafe posix_spawn(&identifier, program, &actions, nil, &texts, &variables) == 0 else { return -1 }
        return identifier
    }
}

/// Those that a library opened without the flag that closes them in other programs.
private var heritableDescriptors: [Int32] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd")) ?? []
    return names.compactMap { Int32($0) }.filter { $0 > 2 && fcntl($0, F_GETFD) & FD_CLOEXEC == 0 }
}

/// `read` of the C library, which a method of the same name hides.
///
/// Safety: as that of `read`: the buffer has `count` bytes.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    unsafe read(descriptor, buffer, count)
}

/// Limits of this process that the system enforces.
enum ProcessLimits {
    static func apply(seconds: Int, memory: Int, descriptors: Int) {
        // No file is written, not even one with the memory of a crash.
        set(RLIMIT_FSIZE, 0)
        set(RLIMIT_CORE, 0)
        set(RLIMIT_CPU, seconds)
        set(RLIMIT_DATA, memory)
        set(RLIMIT_NOFILE, descriptors)
    }

    #if canImport(Glibc)
        private static func set(_ resource: __rlimit_resource, _ value: Int) {
            set(__rlimit_resource_t(resource.rawValue), value)
        }

        private static func set(_ resource: __rlimit_resource_t, _ value: Int) {
            var limit = rlimit(rlim_cur: rlim_t(value), rlim_max: rlim_t(value))
            // Safety: the structure lives during the call. A limit can only be refused where it is lower already.
            _ = unsafe setrlimit(resource, &limit)
        }
    #else
        private static func set(_ resource: Int32, _ value: Int) {
            var limit = rlimit(rlim_cur: rlim_t(value), rlim_max: rlim_t(value))
            // Safety: the structure lives during the call. A limit can only be refused where it is lower already.
            _ = unsafe setrlimit(resource, &limit)
        }
    #endif
}
