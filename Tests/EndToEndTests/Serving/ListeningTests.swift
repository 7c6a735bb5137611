import Foundation
import Testing
import WaymarkJSON

extension EndToEnd {
    /// Where the service listens besides addresses of the network, and what it tells whoever started it.
    @Suite struct ListeningTests {
        private func path(_ installation: Installation) -> String { installation.folder.path + "/w.sock" }

        private func mode(_ path: String) throws -> Int {
            try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
        }

        @Test(arguments: EventLoops.all)
        func servesAUnixDomainSocketAndRemovesItsFile(loop: String) throws {
            let installation = try Installation(configuration: [
                "listen": ["127.0.0.1:0", "unix:w.sock,mode=0600"], "eventLoop": JSONValue(loop), "threads": 3,
            ])
            let path = path(installation)
            let server = try installation.start()
            #expect(try mode(path) == 0o600)
            for _ in 0..<10 {
                let connection = try Connection(path: path)
                #expect(try connection.exchange(.get("/healthz")).status == 200)
                #expect(try connection.exchange(.get("/readyz")).status == 200)
            }
            #expect(try server.stop() == .exit(0))
            #expect(!FileManager.default.fileExists(atPath: path))
        }

        @Test func findsPathsOfTheConfigurationBesideItsFile() throws {
            let installation = try Installation(configuration: [
                "listen": ["127.0.0.1:0", "unix:w.sock"], "httpsRedirect": ["listen": ["unix:r.sock"]],
            ])
            let elsewhere = installation.folder.appendingPathComponent("elsewhere")
            try FileManager.default.createDirectory(at: elsewhere, withIntermediateDirectories: true)
            let program = try Program(["serve", "--config", installation.configurationFile.path], in: elsewhere)
            let server = try RunningServer(program, in: installation)
            #expect(try Connection(path: path(installation)).exchange(.get("/healthz")).status == 200)
            let redirect = try Connection(path: installation.folder.path + "/r.sock").exchange(.get("/gift"))
            #expect(redirect.status == 308)
            #expect(redirect["Location"] == "https://\(Shop.host)/gift")
            try server.stop()
        }

        @Test func takesTheFileOfAServerThatWasKilledButNoneThatIsInUse() throws {
            let installation = try Installation(configuration: ["listen": ["127.0.0.1:0", "unix:w.sock"]])
            let path = path(installation)
            try installation.start().crash()
            #expect(FileManager.default.fileExists(atPath: path))
            let server = try installation.start()
            #expect(try mode(path) == 0o660)
            let second = try Installation()
            let run = try second.run(["serve", "--config", second.configurationFile.path, "--listen", "unix:\(path)"])
            #expect(run.end == .exit(1), "\(run)")
            #expect(run.errorLines.count == 1)
            #expect(run.errors.contains("unix:\(path)"))
            #expect(try Connection(path: path).exchange(.get("/healthz")).status == 200)
            try server.stop()

            try Data("precious".utf8).write(to: URL(fileURLWithPath: path))
            let third = try second.run(["serve", "--config", second.configurationFile.path, "--listen", "unix:\(path)"])
            #expect(third.end == .exit(1), "\(third)")
            #expect(third.errors.contains("no socket"))
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
        }

        /// Opens a TCP socket named `web` and a Unix-domain socket named `local`, as systemd does, and becomes the service.
        private static let activation = [
            "/usr/bin/env", "perl", "-e",
            """
            use IO::Socket::INET; use IO::Socket::UNIX; use POSIX;
            $^F = 1000;
            my $web = IO::Socket::INET->new(Listen => 64, LocalAddr => '127.0.0.1', Proto => 'tcp') or die;
            my $local = IO::Socket::UNIX->new(Listen => 64, Local => 'activated.sock') or die;
            POSIX::dup2(fileno($web), 20); POSIX::dup2(fileno($local), 21);
            POSIX::dup2(20, 3); POSIX::dup2(21, 4); POSIX::close(20); POSIX::close(21);
            $ENV{LISTEN_FDS} = 2; $ENV{LISTEN_PID} = $$; $ENV{LISTEN_FDNAMES} = 'web:local';
            exec { $ARGV[0] } @ARGV;
            """,
        ]

        @Test(
            arguments: EventLoops.all,
            [["systemd"], ["systemd:web", "systemd:local"], ["systemd:web", "systemd"]])
        func servesSocketsThatSystemdHasOpened(loop: String, listen: [String]) throws {
            let installation = try Installation(configuration: [
                "listen": JSONValue(listen.map { JSONValue($0) }), "eventLoop": JSONValue(loop),
            ])
            let server = try installation.start(wrapper: Self.activation)
            let path = installation.folder.path + "/activated.sock"
            for _ in 0..<10 {
                #expect(try server.exchange(.get("/healthz")).status == 200)
                #expect(try Connection(path: path).exchange(.get("/healthz")).status == 200)
            }
            #expect(try server.stop() == .exit(0))
            // It belongs to systemd, which goes on listening.
            #expect(FileManager.default.fileExists(atPath: path))
        }

        @Test func saysWhichSocketSystemdDidNotOpen() throws {
            let installation = try Installation(configuration: ["listen": ["systemd:admin"]])
            for wrapper in [[], Self.activation] {
                let program = try installation.serve(wrapper: wrapper)
                #expect(try program.wait() == .exit(1))
                #expect(program.errorLines.count == 1, "\(program.errorText)")
                #expect(program.errorText.contains("systemd:admin"))
            }
        }

        @Test(arguments: EventLoops.all)
        func tellsSystemdHowItIs(loop: String) throws {
            let installation = try Installation(configuration: ["eventLoop": JSONValue(loop)])
            let path = installation.folder.path + "/notify"
            let receiver = try NotificationReceiver(path: path)
            let server = try installation.start(environment: [
                "WAYMARK_ADMIN_KEY": Installation.adminKey, "NOTIFY_SOCKET": path, "WATCHDOG_USEC": "100000",
            ])
            let ready = try receiver.next()
            #expect(ready["READY"] == "1")
            #expect(ready["STATUS"]?.isEmpty == false)
            for _ in 0..<3 { #expect(try receiver.next() == ["WATCHDOG": "1"]) }

            server.program.send(signal: SIGHUP)
            let reloading = try receiver.next(with: "RELOADING")
            #expect(reloading["RELOADING"] == "1")
            #expect(try #require(reloading["MONOTONIC_USEC"].flatMap { Int64($0) }) > 0)
            #expect(try receiver.next(with: "READY")["READY"] == "1")

            // A configuration that is refused ends the reload all the same.
            try installation.write(configuration: ["threads": 0])
            server.program.send(signal: SIGHUP)
            _ = try receiver.next(with: "RELOADING")
            #expect(try receiver.next(with: "READY")["READY"] == "1")

            server.program.send(signal: SIGTERM)
            #expect(try receiver.next(with: "STOPPING")["STOPPING"] == "1")
            #expect(try server.program.wait() == .exit(0))
        }

        @Test func sendsNoSignOfLifeThatNobodyAskedItFor() throws {
            let installation = try Installation()
            let path = installation.folder.path + "/notify"
            let receiver = try NotificationReceiver(path: path)
            let server = try installation.start(environment: [
                "WAYMARK_ADMIN_KEY": Installation.adminKey, "NOTIFY_SOCKET": path, "WATCHDOG_USEC": "1000",
                "WATCHDOG_PID": "1",
            ])
            #expect(try receiver.next()["READY"] == "1")
            server.program.send(signal: SIGTERM)
            #expect(try receiver.next()["STOPPING"] == "1")
            try server.program.wait()
        }
    }
}
