import Foundation
import Testing
import WaymarkJSON
import WaymarkTestSupport

extension EndToEnd {
    /// What a server finds out about its own store, without requests for `/readyz`.
    @Suite struct ReadinessTests {
        private func metric(_ name: String, _ client: Connection) throws -> String? {
            try client.exchange(.get("/metrics")).text.split(separator: "\n").first { $0.hasPrefix(name + " ") }
                .map { String($0.dropFirst(name.count + 1)) }
        }

        private func follows(_ ready: String, _ client: Connection) throws {
            try eventually("waymark_ready is \(ready)", holds: { try metric("waymark_ready", client) == ready })
        }

        @Test func metricsFollowTheDatabaseFileByThemselves() throws {
            let installation = try Installation(configuration: ["database": "sqlite:data/links.sqlite"])
            let server = try installation.start()
            let client = try server.connect()
            try follows("1", client)
            let file = installation.folder.appendingPathComponent("data/links.sqlite")
            let moved = installation.folder.appendingPathComponent("data/moved.sqlite")
            for _ in 0..<2 {
                try FileManager.default.moveItem(at: file, to: moved)
                try follows("0", client)
                #expect(try client.exchange(.get("/readyz")).status == 503)
                try FileManager.default.moveItem(at: moved, to: file)
                try follows("1", client)
                #expect(try client.exchange(.get("/readyz")).status == 200)
            }
            let returns = server.program.errorLines.filter { $0.contains("ready again") }
            #expect(returns.count == 2, "\(returns)")
        }

        @Test(.enabled(if: TemporaryMount.isPossible, "needs the right to mount"))
        func aFullDiskIsNotReadyUntilThereIsRoom() throws {
            let installation = try Installation(
                configuration: ["database": "sqlite:disk/links.sqlite", "minimumFreeDisk": 2_000_000])
            let disk = try TemporaryMount(
                at: installation.folder.appendingPathComponent("disk").path, bytes: 8_000_000)
            let server = try installation.start()
            let client = try server.connect()
            #expect(try client.exchange(.create(Shop.gift())).status == 201)
            #expect(try client.exchange(.get("/gift", userAgent: Browser.desktop)).status == 302)
            let filler = disk.path + "/filler"
            #expect(FileManager.default.createFile(atPath: filler, contents: nil))
            try fill(filler)

            let refused = try client.exchange(.create(Shop.gift(slug: "other")))
            #expect(refused.status == 507 && refused.text.contains("urn:waymark:problem:store-full"), "\(refused)")
            #expect(refused.text.contains("free") && !refused.text.contains(disk.path), "\(refused)")
            try follows("0", client)
            #expect(try metric("waymark_store_full", client) == "1")
            #expect(try #require(Int(try metric("waymark_store_free_bytes", client) ?? "")) < 2_000_000)
            let notReady = try client.exchange(.get("/readyz"))
            #expect(notReady.status == 503 && notReady.text.contains("store-full"), "\(notReady)")
            #expect(try client.exchange(.get("/gift", userAgent: Browser.desktop)).status == 302)
            let url = "http://127.0.0.1:\(server.port)"
            let status = try installation.run(["status", "--url", url])
            #expect(status.end == .exit(1) && status.output.contains("disk that holds the database is full"))

            try FileManager.default.removeItem(atPath: filler)
            try follows("1", client)
            #expect(try metric("waymark_store_full", client) == "0")
            #expect(try client.exchange(.create(Shop.gift(slug: "other"))).status == 201)
        }

        /// Writes until nothing more fits.
        private func fill(_ path: String) throws {
            let file = try #require(FileHandle(forWritingAtPath: path))
            let block = Data(repeating: 7, count: 4_096)
            while (try? file.write(contentsOf: block)) != nil {}
            try file.close()
        }

        @Test func theServerShowsWhenTheLastBackupEnded() throws {
            let installation = try Installation(configuration: ["database": "sqlite:data/links.sqlite"])
            let server = try installation.start()
            let client = try server.connect()
            try eventually("there is none", holds: { try metric("waymark_backup_timestamp_seconds", client) == "0" })
            let copy = installation.folder.appendingPathComponent("copy.sqlite").path
            let backup = try installation.run(["backup", copy, "--config", installation.configurationFile.path])
            #expect(backup.end == .exit(0) && backup.errors.isEmpty, "\(backup)")
            let end = Int(Date().timeIntervalSince1970)
            try eventually("it is there") {
                try metric("waymark_backup_timestamp_seconds", client).flatMap { Int($0) }.flatMap {
                    $0 == 0 ? nil : $0
                }
            }
            #expect(abs(try #require(Int(try metric("waymark_backup_timestamp_seconds", client) ?? "")) - end) < 60)
        }

        @Test func aBackupWithoutItsStampIsABackup() throws {
            let installation = try Installation(configuration: ["database": "sqlite:data/links.sqlite"])
            try installation.start().stop()
            let stamp = installation.folder.appendingPathComponent("data/links.sqlite.backed-up")
            try FileManager.default.createDirectory(at: stamp, withIntermediateDirectories: false)
            let copy = installation.folder.appendingPathComponent("copy.sqlite").path
            let backup = try installation.run(["backup", copy, "--config", installation.configurationFile.path])
            #expect(backup.end == .exit(0) && backup.errors.contains("metrics don't show"), "\(backup)")
            #expect(FileManager.default.fileExists(atPath: copy))
        }
    }
}
