import Foundation
import Testing
import WaymarkJSON

extension EndToEnd {
    /// What operators see: the first key, the error log, the status.
    @Suite struct OperatorTests {
        private static let create = #"{"urls": {"web": "https://example.com/"}}"#

        private func key(in file: URL) throws -> String {
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(text.hasSuffix("\n"))
            return String(text.dropLast())
        }

        @Test func theFirstKeyIsInAFileOfItsOwnerOnly() throws {
            let installation = try Installation(configuration: ["applications": nil])
            let file = installation.folder.appendingPathComponent("first-admin-key")
            // Of an earlier database in the same folder.
            try Data("wm_old\n".utf8).write(to: file)
            let server = try installation.start(environment: [:])
            let key = try key(in: file)
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            #expect(key.hasPrefix("wm_") && key != "wm_old")
            #expect(!server.program.outputText.contains(key))
            #expect(!server.program.errorText.contains(key))
            #expect(server.program.errorText.contains(file.path))
            #expect(try server.exchange(.api("POST", "/links", Self.create, key: key)).status == 201)
            try server.stop()

            try FileManager.default.removeItem(at: file)
            try installation.start(environment: [:]).stop()
            #expect(!FileManager.default.fileExists(atPath: file.path), "the store has a key by now")
        }

        @Test func theKeyIsPrintedWhereTheFileCanNotBeWritten() throws {
            let installation = try Installation(configuration: ["applications": nil])
            let folder = installation.folder.appendingPathComponent("first-admin-key")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            try Data().write(to: folder.appendingPathComponent("occupied"))
            let server = try installation.start(environment: [:])
            #expect(server.program.outputText.contains("Admin key, shown this once: wm_"))
            #expect(server.program.errorText.contains("\(folder.path) can't be written"))
        }

        @Test func writesTheFirstKeyToTheStateFolder() throws {
            let installation = try Installation(configuration: ["database": "sqlite::memory:", "applications": nil])
            let state = installation.folder.appendingPathComponent("state")
            try FileManager.default.createDirectory(at: state, withIntermediateDirectories: false)
            let server = try installation.start(environment: ["STATE_DIRECTORY": "\(state.path):/nowhere"])
            #expect(try key(in: state.appendingPathComponent("first-admin-key")).hasPrefix("wm_"))
            try server.stop()
        }

        @Test func theErrorLogIsJSONIfConfigured() throws {
            let installation = try Installation(configuration: ["logFormat": "json"])
            let program = try installation.serve()
            try eventually("it listens", holds: { program.errorText.contains("listening on") })
            program.send(signal: SIGTERM)
            #expect(try program.wait() == .exit(0))
            let lines = try program.errorLines.map { try JSONValue(parsing: $0) }
            #expect(lines.contains { $0["level"] == "info" && $0["message"] == "stopped" })
            #expect(lines.allSatisfy { $0["time"]?.string?.hasSuffix("Z") == true })
        }

        @Test func statusShowsARunningServer() throws {
            let installation = try Installation()
            let server = try installation.start()
            let url = "http://127.0.0.1:\(server.port)"
            let run = try installation.run(["status", "--url", url])
            #expect(run.end == .exit(0), "\(run)")
            for part in ["uptime", "ready", "store", "links", "requests", "clicks", "webhooks", "configuration"] {
                #expect(run.output.contains("ok       \(part)"), "\(run)")
            }
            #expect(try server.exchange(.create(Shop.gift())).status == 201)
            let counted = try installation.run(
                ["status", "--url", url + "/", "--json"], environment: ["WAYMARK_KEY": Installation.adminKey])
            #expect(counted.end == .exit(0), "\(counted)")
            #expect(counted.json["failing"] == false)
            #expect(counted.output.contains("1 link, "), "\(counted)")

            try installation.write(configuration: ["threads": "none"])
            server.program.send(signal: SIGHUP)
            // The response of `/metrics` is reused for a moment.
            let refused = try eventually("the status shows that it is refused") {
                let run = try installation.run(["status", "--url", url])
                return run.end == .exit(1) ? run : nil
            }
            #expect(refused.output.contains("FAIL     configuration"), "\(refused)")
            try server.stop()

            let gone = try installation.run(["status", "--url", url])
            #expect(gone.end == .exit(1), "\(gone)")
            #expect(gone.errors.contains(url), "\(gone)")
            #expect(try installation.run(["status", "--url", "gopher://nowhere"]).end == .exit(2))
        }
    }
}
