import ArgumentParser
import Foundation
import WaymarkArchive
import WaymarkLinks
import WaymarkSQLite
import WaymarkStores

/// `waymark backup FILE`
struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy the SQLite database as it is now into a new file, while the service runs.",
        discussion: """
            The copy is a whole database of one moment; to go back to it, stop the service and put it in the place of the \
            database. Whoever has it has everything that the database holds. Exit status: 0 done, 1 it failed, 2 wrong \
            arguments, or a file that is there already; no file is ever replaced.
            """)

    @Argument(help: ArgumentHelp("The new file.", valueName: "file"))
    var file: String

    @OptionGroup var options: StoreOptions

    mutating func run() throws {
        let configuration = try options.configuration()
        guard case .file(let path) = configuration.database else {
            throw CommandFailure.usage(
                "\(configuration.database.text): only a database of SQLite in a file is copied; "
                    + "for another use its own tools, or waymark export")
        }
        let target = try NewFile(file)
        let source = try configuration.database.archive(.copying)
        defer { source.close() }
        guard let source = source as? SQLiteArchive else { return }
        try target.make()
        let bar = ProgressBar("copying", all: source.byteCount)
        do {
            try source.copy(into: target.partial) { done in bar.show(done) }
            try target.finish()
        } catch let error as StoreError {
            target.removePartial()
            bar.end()
            throw CommandFailure.failed("\(file): \(error.sentence)")
        } catch {
            target.removePartial()
            bar.end()
            throw error
        }
        bar.end()
        do throws(StoreError) {
            try BackupStamp.write(for: path)
        } catch {
            // The copy is whole: a user who may only read the database makes backups, too.
            try? FileHandle.standardError.write(
                contentsOf: Data("waymark: the server's metrics don't show this backup: \(error.sentence)\n".utf8))
        }
        print("copied \(path) to \(file)")
    }
}
