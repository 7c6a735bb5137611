#if os(Linux)
    import Foundation
    import Glibc
    import Synchronization

    /// A PostgreSQL of the tests' own: a cluster in a temporary folder, on a socket in it. It goes with the process that
    /// runs the tests, however that ends.
    package final class PostgresServer: Sendable {
        /// One for all tests that leave it standing.
        package static let shared = Result { try PostgresServer() }

        package static var isInstalled: Bool { programs != nil }

        /// Where `initdb` and the others are.
        private static let programs: String? = {
            let versions = "/usr/lib/postgresql"
            let folders = ((try? FileManager.default.contentsOfDirectory(atPath: versions)) ?? [])
                .sorted { (Int($0) ?? 0) > (Int($1) ?? 0) }.map { "\(versions)/\($0)/bin" }
            let path = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
            return (folders + path).first { FileManager.default.isExecutableFile(atPath: $0 + "/initdb") }
        }()

        package let folder: String
        private let watchdog: Mutex<Pipe>
        private let databases = Mutex(0)
        private let options: String

        /// - Parameter options: Further ones for `postgres`, which win over those that it has by itself.
        /// - Parameter certificate: Whether it gets one that it has signed itself, for `database.example.com`.
        package init(options: String = "", certificate: Bool = false) throws {
            // Short, because the path of a socket may have 107 bytes.
            folder = "/tmp/waymark-pg-" + String(UInt64.random(in: .min ... .max), radix: 36)
            self.options = options
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            let pipe = Pipe()
            // Whatever else this process starts would keep the watchdog waiting.
            for end in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
                _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC)
            }
            watchdog = Mutex(pipe)
            if geteuid() == 0 {
                let owner = getpwnam("postgres").pointee
                guard chown(folder, owner.pw_uid, owner.pw_gid) == 0 else { throw POSIXError(.EPERM) }
            }
            try run("initdb", ["-D", folder + "/data", "-U", "waymark", "-A", "trust", "--no-sync", "-E", "UTF8"])
            if certificate {
                try run(
                    "/usr/bin/openssl",
                    [
                        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
                        "2",
                        "-subj", "/CN=database.example.com", "-keyout", folder + "/data/server.key", "-out",
                        folder + "/data/server.crt",
                    ])
            }
            try start()
            try watch()
        }

        package func start() throws {
            // Without fsync the system has the pages of a process that was killed all the same: only a crash of the machine loses
            // them.
            let settings =
                "-k \(folder) -c listen_addresses='' -c max_connections=600 -c shared_buffers=64MB -c fsync=off \(options)"
            try run("pg_ctl", ["start", "-w", "-D", folder + "/data", "-l", folder + "/log", "-o", settings])
        }

        package func stop() throws { try run("pg_ctl", ["stop", "-w", "-m", "fast", "-D", folder + "/data"]) }

        /// Ends it at once, as a crash does, and starts it again.
        package func crash() throws {
            try kill()
            try recover()
        }

        /// Ends it at once, as a crash of its machine does: from then on none of its processes answers anything.
        package func kill() throws {
            // The first one ends first, so that it starts none anew. The others end by themselves then, but not at once: a
            // connection that is there may be answered once more.
            let processes = try processes()
            for process in processes { _ = Glibc.kill(process, SIGKILL) }
            while processes.contains(where: { Self.storeHealth(of: $0).map { $0.state != "Z" } ?? false }) {
                sched_yield()
            }
        }

        /// Starts it again after a `kill`.
        package func recover() throws {
            // Its processes notice one after the other, and until then a new one is refused.
            for _ in 0..<200 where (try? start()) != nil { return }
            try start()
        }

        /// Of the server's first process.
        package func processID() throws -> Int32 {
            let text = try String(contentsOfFile: folder + "/data/postmaster.pid", encoding: .utf8)
            guard let line = text.split(separator: "\n").first, let number = Int32(line) else {
                throw POSIXError(.ESRCH)
            }
            return number
        }

        /// The first process and all that it has started: one for each connection, and those that look after the files.
        package func processes() throws -> [Int32] {
            let first = try processID()
            let names = try FileManager.default.contentsOfDirectory(atPath: "/proc")
            return [first] + names.compactMap { Int32($0) }.filter { Self.storeHealth(of: $0)?.parent == first }
        }

        /// The letter of what a process does (Z where it has ended and nobody has asked), and who has started it; nil where there
        /// is none.
        private static func storeHealth(of process: Int32) -> (state: Substring, parent: Int32?)? {
            guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return nil }
            // Behind the name, which is in parentheses.
            let words = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
            return words.count > 2 ? (words[1], Int32(words[2])) : nil
        }

        /// A new, empty database, and its URL.
        package func database() throws -> String {
            let number = databases.withLock { number in
                number += 1
                return number
            }
            let name = "test\(number)"
            try run("createdb", ["-h", folder, "-U", "waymark", name])
            return url(of: name)
        }

        package func url(of database: String) -> String { "postgres://waymark@/\(database)?host=\(folder)" }

        /// What a client program, such as `pg_dump`, writes about a database.
        ///
        /// - Parameter url: Of the database.
        /// - Throws: `POSIXError` if it ends with a status other than 0.
        package func output(of program: String, _ arguments: [String], on url: String) throws -> [UInt8] {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: (Self.programs ?? "") + "/" + program)
            process.arguments = ["--dbname=" + url] + arguments
            let pipe = Pipe()
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = pipe
            try process.run()
            let output = [UInt8](try pipe.fileHandleForReading.readToEnd() ?? Data())
            process.waitUntilExit()
            guard process.terminationStatus == 0 else { throw POSIXError(.EIO) }
            return output
        }

        private func run(_ program: String, _ arguments: [String]) throws {
            let process = try spawn(
                [program.hasPrefix("/") ? program : (Self.programs ?? "") + "/" + program] + arguments, input: nil)
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0 && errno == EINTR {}
            guard status == 0 else { throw POSIXError(.EIO) }
        }

        /// Leaves a shell behind that stops the server and deletes its folder as soon as this process is gone.
        private func watch() throws {
            // Who ends the tests with Ctrl-C sends the signal to the shell too.
            let script = #"trap "" INT TERM HUP; cat > /dev/null; "$0" stop -m immediate -D "$1/data"; rm -rf "$1""#
            let pipe = watchdog.withLock { $0 }
            _ = try spawn(
                ["/bin/sh", "-c", script, (Self.programs ?? "") + "/pg_ctl", folder],
                input: pipe.fileHandleForReading.fileDescriptor)
        }

        /// Not Foundation's `Process`: that takes a program for running as long as the server that it has started.
        /// Nothing is inherited but the input. PostgreSQL refuses to run as root.
        private func spawn(_ command: [String], input: Int32?) throws -> pid_t {
            let user = ["/usr/bin/setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
            let words = geteuid() == 0 ? user + command : command
            var actions = posix_spawn_file_actions_t()
            posix_spawn_file_actions_init(&actions)
            defer { posix_spawn_file_actions_destroy(&actions) }
            if let input {
                posix_spawn_file_actions_adddup2(&actions, input, 0)
            } else {
                posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
            }
            for output in [1, 2] as [Int32] {
                posix_spawn_file_actions_addopen(&actions, output, "/dev/null", O_WRONLY, 0)
            }
            let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }
            for descriptor in open where descriptor > 2 { posix_spawn_file_actions_addclose(&actions, descriptor) }
            let arguments = words.map { strdup($0) } + [nil]
            defer { for argument in arguments { free(argument) } }
            var process: pid_t = 0
            guard posix_spawn(&process, words[0], &actions, nil, arguments, environ) == 0 else {
                throw POSIXError(.ENOENT)
            }
            return process
        }

        deinit { try? watchdog.withLock { try $0.fileHandleForWriting.close() } }
    }
#endif
