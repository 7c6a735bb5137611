import Foundation
import Testing
import WaymarkJSON

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension EndToEnd {
    /// Commands beside a running server on SQLite, through the socket beside its database.
    @Suite struct OwnerSocketTests {
        private static func socket(_ installation: Installation) -> String { installation.databaseFile.path + ".sock" }

        private static func run(_ installation: Installation, _ arguments: String...) throws -> CommandRun {
            try installation.run(arguments + ["--config", installation.configurationFile.path])
        }

        /// What the sign-in page prints, first.
        @Test(arguments: [
            ["keys", "create", "--name", "dashboard", "--scope", "admin"], ["keys", "list"], ["apps", "list"],
            ["links", "create", "--slug", "made", "--link", "web=https://shop.example.com/"], ["links", "list"],
            ["domains", "list"], ["webhooks", "list"], ["dashboard"], ["people", "list"],
            ["people", "invite", "--role", "admin"],
        ])
        func runsCommandsBesideAServer(command: [String]) throws {
            let installation = try Installation()
            let server = try installation.start()
            let run = try installation.run(command + ["--config", installation.configurationFile.path])
            #expect(run.end == .exit(0) && run.errors.isEmpty, "\(run)")
            try server.stop()
        }

        @Test func makesAKeyThatTheServerTakes() throws {
            let installation = try Installation()
            let server = try installation.start()
            let made = try Self.run(installation, "keys", "create", "--name", "dashboard", "--scope", "admin")
            #expect(made.end == .exit(0), "\(made)")
            let key = made.output.trimmingCharacters(in: .whitespacesAndNewlines)
            #expect(try server.exchange(.api("GET", "/keys", key: key)).status == 200)
            let link = try Self.run(installation, "dashboard")
            #expect(link.output.hasPrefix("http://127.0.0.1:\(server.port)/_/#sign-in=wm_"), "\(link)")
        }

        @Test func `a database that another program has open is named`() throws {
            let installation = try Installation()
            let server = try installation.start()
            // As a command, or a server that starts.
            try FileManager.default.removeItem(atPath: Self.socket(installation))
            let run = try Self.run(installation, "links", "list")
            #expect(run.end == .exit(1) && run.errorLines.count == 1, "\(run)")
            #expect(run.errors.contains("is locked by another server or command: try again once the other command"))
            try server.stop()
        }

        @Test func importsFromAFile() throws {
            let installation = try Installation()
            let server = try installation.start()
            let file = installation.folder.appendingPathComponent("links.csv")
            try Data("slug,urls.web\none,https://shop.example.com/1\n".utf8).write(to: file)
            let run = try Self.run(installation, "links", "import", "--from", "csv", file.path, "--app", "shop")
            #expect(run.end == .exit(0) && run.output.contains("1 created"), "\(run)")
            try server.stop()
        }

        @Test func `the socket is its owner's and ends with the server`() throws {
            let installation = try Installation()
            let server = try installation.start()
            var status = stat()
            // Safety: stat reads the path as a C string that is lent for the call.
            #expect(unsafe stat(Self.socket(installation), &status) == 0)
            #expect(status.st_mode & 0o777 == 0o600 && status.st_uid == geteuid())
            try server.stop()
            #expect(!FileManager.default.fileExists(atPath: Self.socket(installation)))
        }

        @Test func `the socket is replaced after a crash`() throws {
            let installation = try Installation()
            try installation.start().crash()
            #expect(FileManager.default.fileExists(atPath: Self.socket(installation)))
            // Nobody listens: the database is opened itself.
            #expect(try Self.run(installation, "keys", "list").end == .exit(0))
            let server = try installation.start()
            let run = try Self.run(installation, "keys", "list")
            #expect(run.end == .exit(0), "\(run)")
            try server.stop()
        }

        @Test func leavesAFileAtItsPathAlone() throws {
            let installation = try Installation()
            try Data("mine".utf8).write(to: URL(fileURLWithPath: Self.socket(installation)))
            let server = try installation.start()
            let run = try Self.run(installation, "keys", "list")
            #expect(run.end == .exit(1) && run.errors.contains("--url"), "\(run)")
            #expect(run.errorLines.count == 1)
            try server.stop()
            #expect(server.program.errorText.contains("no socket"))
            #expect(try String(contentsOfFile: Self.socket(installation), encoding: .utf8) == "mine")
        }

        @Test func leadsEachCommandToTheServerOfItsDatabase() throws {
            let installations = [try Installation(), try Installation()]
            let servers = try installations.map { try $0.start() }
            for (number, installation) in installations.enumerated() {
                let run = try Self.run(
                    installation, "keys", "create", "--name", "of \(number)", "--scope", "read")
                #expect(run.end == .exit(0), "\(run)")
            }
            for (number, installation) in installations.enumerated() {
                let output = try Self.run(installation, "keys", "list").output
                #expect(output.contains("of \(number)") && !output.contains("of \(1 - number)"), "\(output)")
            }
            for server in servers { try server.stop() }
        }

        /// Longer than the kernel's limit for the path of a socket.
        @Test func reachesADatabaseInADeepFolder() throws {
            let installation = try Installation()
            let folder = String(repeating: "a-long-name/", count: 12)
            try installation.write(configuration: ["database": JSONValue("sqlite:\(folder)waymark.sqlite")])
            let server = try installation.start()
            let run = try Self.run(installation, "keys", "list")
            #expect(run.end == .exit(0), "\(run)")
            try server.stop()
            let path = installation.folder.appendingPathComponent("\(folder)waymark.sqlite.sock").path
            #expect(!FileManager.default.fileExists(atPath: path))
        }

        /// Not even if somebody gives everybody access to the files.
        @Test(.enabled(if: geteuid() == 0, "only root can become another user"))
        func refusesOtherUsers() throws {
            let installation = try Installation()
            let server = try installation.start()
            for (path, mode) in [
                (installation.folder.path, 0o755), (installation.databaseFile.path, 0o644),
                (Self.socket(installation), 0o666),
            ] {
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            }
            // Perl, because it is on every Debian at a path that others may read.
            let script = #"""
                $SIG{PIPE} = "IGNORE";
                my $socket = IO::Socket::UNIX->new(Peer => $ARGV[0]) or die;
                syswrite($socket, "GET /api/v1/keys HTTP/1.1\r\nHost: localhost\r\n\r\n");
                print sysread($socket, my $bytes, 1000) // 0, "\n";
                """#
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = [
                "setpriv", "--reuid=65534", "--clear-groups", "/usr/bin/perl", "-MIO::Socket::UNIX", "-e", script,
                Self.socket(installation),
            ]
            let pipe = Pipe()
            process.standardOutput = pipe
            try process.run()
            process.waitUntilExit()
            let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            #expect(output == "0\n")
            try server.stop()
        }
    }
}
