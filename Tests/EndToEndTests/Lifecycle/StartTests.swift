import Foundation
import Testing
import WaymarkJSON
import WaymarkTestSupport

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension EndToEnd {
    /// What a start needs from the machine, and what it says where that is not to be had.
    @Suite struct StartTests {
        @Test(arguments: EventLoops.all)
        func aPortThatAnotherProgramHasIsNamed(eventLoop: String) throws {
            let holder = try SocketListener()
            let run = try failedStart(
                of: Installation(), ["--listen", "127.0.0.1:\(holder.port)", "--event-loop", eventLoop])
            #expect(run.end == .exit(1), "\(run)")
            #expect(run.errors.contains("\(holder.port)"), "\(run)")
        }

        @Test(arguments: EventLoops.all)
        func aPortThatAnotherWaymarkHasIsNamed(eventLoop: String) throws {
            let server = try Installation().start(["--event-loop", eventLoop])
            let run = try failedStart(
                of: Installation(), ["--listen", "127.0.0.1:\(server.port)", "--event-loop", eventLoop])
            #expect(run.end == .exit(1), "\(run)")
            #expect(run.errors.contains("\(server.port)"), "\(run)")
            // Every connection still reaches the first one.
            for _ in 0..<8 { #expect(try server.exchange(.get("/healthz")).status == 200) }
        }

        @Test func aPortThatWasJustLeftCanBeTakenAgain() throws {
            let installation = try Installation()
            let first = try installation.start()
            let client = try first.connect()
            #expect(try client.exchange(.get("/healthz")).status == 200)
            // With a connection open, so that the port stays in TIME_WAIT.
            #expect(try first.stop() == .exit(0))
            let second = try installation.start(["--listen", "127.0.0.1:\(first.port)"])
            #expect(second.port == first.port)
        }

        @Test func aDatabaseThatIsNoneIsNamedAndLeftAlone() throws {
            let installation = try Installation()
            let text = Data(String(repeating: "This is a letter, not a database.\n", count: 100).utf8)
            try text.write(to: installation.databaseFile)
            let run = try failedStart(of: installation)
            #expect(run.errors.contains("waymark.sqlite"), "\(run)")
            #expect(try Data(contentsOf: installation.databaseFile) == text)
        }

        @Test func aDatabaseWhereNothingCanBeWrittenIsNamed() throws {
            let run = try failedStart(of: Installation(), ["--database", "sqlite:/proc/waymark.sqlite"])
            #expect(run.errors.contains("/proc/waymark.sqlite"), "\(run)")
        }

        @Test(.enabled(if: geteuid() != 0, "root may write to any file"))
        func aReadOnlyDatabaseIsNamed() throws {
            let installation = try Installation()
            try installation.start().stop()
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o444], ofItemAtPath: installation.databaseFile.path)
            let run = try failedStart(of: installation)
            #expect(run.errors.contains("waymark.sqlite"), "\(run)")
            #expect(run.errors.contains("read-only"), "\(run)")
        }

        @Test func aFolderInThePlaceOfTheDatabaseIsNamed() throws {
            let installation = try Installation()
            try FileManager.default.createDirectory(at: installation.databaseFile, withIntermediateDirectories: false)
            let run = try failedStart(of: installation)
            #expect(run.errors.contains("waymark.sqlite"), "\(run)")
        }

        @Test func aDatabaseThatAnotherServerHasIsNamed() throws {
            let installation = try Installation()
            let server = try installation.start()
            let run = try failedStart(of: installation)
            #expect(run.end == .exit(1), "\(run)")
            #expect(run.errors.contains("waymark.sqlite"), "\(run)")
            #expect(run.errors.contains("another"), "\(run)")
            #expect(try server.exchange(.create(Shop.gift())).status == 201)

            // As soon as the other one is gone, however it went, the database is free.
            try server.crash()
            #expect(try installation.start().exchange(.get("/gift")).status == 302)
        }

        @Test func theFirstStartWritesAKeyOnceAndStoresOnlyItsHash() throws {
            let installation = try Installation()
            let first = try installation.start(environment: [:])
            #expect(keys(in: first.program).isEmpty)
            let key = try eventually("the key") { installation.firstAdminKey }
            #expect(try first.exchange(.api("GET", "/apps", key: key)).status == 200)
            #expect(try first.stop() == .exit(0))
            for file in try FileManager.default.contentsOfDirectory(
                at: installation.folder, includingPropertiesForKeys: nil)
            where file.lastPathComponent.hasPrefix("waymark.sqlite") {
                #expect(try Data(contentsOf: file).firstRange(of: Data(key.utf8)) == nil, "\(file.path) holds the key")
            }

            let second = try installation.start(environment: [:])
            #expect(keys(in: second.program).isEmpty)
            #expect(try second.exchange(.api("GET", "/apps", key: key)).status == 200)
        }

        @Test func aKeyOfTheEnvironmentHoldsOnlyWhileItIsSet() throws {
            let installation = try Installation()
            let first = try installation.start()
            #expect(keys(in: first.program).isEmpty)
            #expect(try first.exchange(.api("GET", "/apps")).status == 200)
            #expect(try first.stop() == .exit(0))
            let second = try installation.start(environment: [:])
            #expect(try second.exchange(.api("GET", "/apps")).status == 401)
        }

        /// Whatever looks like a key in what the program printed.
        private func keys(in program: Program) -> [String] {
            (program.outputText + program.errorText).matches(of: /wm_[A-Za-z0-9]{32,}/).map { String($0.output) }
        }

        /// Starts, expects that to fail with one line, and waits for the end.
        private func failedStart(of installation: Installation, _ arguments: [String] = []) throws -> CommandRun {
            let program = try installation.serve(arguments)
            let run = CommandRun(end: try program.wait(), output: program.outputText, errors: program.errorText)
            #expect(run.errorLines.count == 1, "\(run)")
            #expect(run.end == .exit(1) || run.end == .exit(2), "\(run)")
            return run
        }
    }
}
