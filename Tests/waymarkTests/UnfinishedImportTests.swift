import ArgumentParser
import Foundation
import Testing
import WaymarkArchive
import WaymarkSQLite
import WaymarkStores
import WaymarkTestSupport

@testable import waymark

/// A database into which an import was not finished has only a part of the links: no command takes it for a whole one.
@Suite struct UnfinishedImportTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("links.sqlite")
        let archive = try SQLiteArchive(path: path, mode: .alone)
        try archive.add(
            [], progress: StoredSecret(name: ImportProgress.secretName, value: Array("0 x".utf8)), expecting: nil)
        archive.close()
    }

    static let commands: [(name: String, arguments: @Sendable (_ database: String, _ folder: String) -> [String])] = [
        ("export", { database, _ in ["export", "-", "--database", database] }),
        ("backup", { ["backup", $1 + "/copy", "--database", $0] }),
        ("check", { database, _ in ["check", "--database", database] }),
        ("check --rebuild-totals", { database, _ in ["check", "--rebuild-totals", "--database", database] }),
        ("check --rebuild-search", { database, _ in ["check", "--rebuild-search", "--database", database] }),
        ("migrate --from", { ["migrate", "--from", $0, "--to", "sqlite:" + $1 + "/new"] }),
    ]

    @Test(arguments: commands.indices)
    func `an unfinished import is refused by each command`(index: Int) throws {
        let arguments = Self.commands[index].arguments("sqlite:\(path)", folder.path)
        var command = try Waymark.parseAsRoot(arguments)
        do {
            try command.run()
            Issue.record("\(arguments) did not fail")
        } catch let failure as CommandFailure {
            #expect(failure.status == 1)
            #expect(failure.message == "sqlite:\(path): \(ImportProgress.refusal)")
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path("copy")))
        #expect(!FileManager.default.fileExists(atPath: folder.path("copy.partial")))
    }

    @Test func mayStillBeFilled() throws {
        let archive = try DatabaseURL.file(path).archive(.filling)
        archive.close()
    }
}
