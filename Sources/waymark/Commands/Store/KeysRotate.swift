import ArgumentParser
import Foundation
import WaymarkArchive
import WaymarkLinks
import WaymarkSQLite
import WaymarkStores

extension KeysCommand {
    /// `waymark keys rotate-data-key`
    struct RotateDataKey: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rotate-data-key",
            abstract: "Bring all metadata under the first of metadataKeys, while the service runs.",
            discussion: """
                First put the new key ahead of the old one in metadataKeys and reload the service (several servers: put it \
                behind, reload all, then ahead, reload all). When this has ended, the old key can be taken out. It may be \
                stopped at any time and run again. Exit status: 0 done, 1 it failed, 2 wrong arguments or keys; with a key \
                that is missing or another one nothing is changed.
                """)

        @OptionGroup var options: StoreOptions

        mutating func run() throws {
            let configuration = try options.configuration()
            let keys = MetadataKeys(configuration.metadataKeys)
            guard let first = keys.keys.first else {
                throw CommandFailure.usage("metadataKeys: there is no key to encrypt metadata with; name one first")
            }
            // Checked before the archive is opened: closing any descriptor of a file releases the process's POSIX
            // locks on it.
            let isServed = configuration.database.isLocked
            let archive = try configuration.database.archive(.beside)
            defer { archive.close() }
            try reportingFailures(of: configuration.database.text) {
                if let problem = keys.problem(with: try archive.secrets()) {
                    throw CommandFailure.usage("metadataKeys: \(problem)")
                }
                // If no server is running, none can encounter a key that it does not know.
                if case .file = configuration.database, !isServed {
                    try archive.addSecret(
                        StoredSecret(name: MetadataKeys.proofName(first.id), value: first.makeProof()))
                }
                let bar = ProgressBar("sealing", all: 0)
                var turn = Date()
                let report = try KeyRotation(archive, keys: keys).run {
                    bar.show($0)
                } pause: {
                    // As long as the transaction took, so that servers get at least every other turn.
                    Thread.sleep(forTimeInterval: min(0.5, max(0.001, Date().timeIntervalSince(turn))))
                    turn = Date()
                }
                bar.end()
                print(
                    "metadata of \(report.examined) links is under the key \"\(first.id)\", \(report.resealed) of it anew"
                )
                for id in report.released { print("nothing needs the key \"\(id)\" any more") }
            }
        }
    }
}
