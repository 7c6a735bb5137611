import ArgumentParser
import Foundation
import WaymarkArchive
import WaymarkBytes
import WaymarkLinks
import WaymarkStores
import WaymarkTLS

/// `waymark export FILE`
struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write everything that the database holds down as JSON Lines, while the service runs.",
        discussion: """
            Applications, keys (their digests), secrets, idempotency records, claims, and links with their counts, clicks \
            and activity, all of one moment. Metadata that is sealed stays sealed. The file is FILE.partial until it is whole; --resume goes on \
            with that. Exit status: 0 done, 1 it failed, 2 wrong arguments, or a file that is there already; no file is \
            ever replaced.
            """)

    @Argument(help: ArgumentHelp("The new file; - is standard output.", valueName: "file"))
    var file: String

    @Flag(
        name: .long,
        help: """
            Go on with FILE.partial. What it holds is of the moment when it was begun, what follows is of now.
            """)
    var resume = false

    @Flag(name: .long, help: "Write sealed metadata down as it was sent. Whoever has the file can read it then.")
    var openMetadata = false

    @OptionGroup var options: StoreOptions

    mutating func run() throws {
        let configuration = try options.configuration()
        let keys = MetadataKeys(configuration.metadataKeys)
        let archive = try configuration.database.archive(.reading)
        defer { archive.close() }
        try reportingFailures(of: configuration.database.text) {
            if openMetadata, let problem = keys.problem(with: try archive.secrets()) {
                throw CommandFailure.usage("metadataKeys: \(problem)")
            }
            try archive.beginReading()
            let header = ArchiveHeader(
                id: Hexadecimal.text(SecureRandom.bytes(count: 16)),
                createdAt: Timestamp(rawValue: Int64(Date().timeIntervalSince1970 * 1000)).rfc3339,
                links: try archive.linkCount())
            let opening = openMetadata ? keys : nil
            if file == "-" {
                guard !resume else {
                    throw CommandFailure.usage("--resume: standard output can't be resumed; give a file")
                }
                let output = LineOutput(.standardOutput, name: "standard output")
                var writer = ExportWriter { SHA256.digest(of: $0) }
                try writer.run(archive, header: header, opening: opening) { try output.write($0) }
                try output.flush()
            } else {
                try write(archive, header, opening)
            }
        }
    }

    private func write(_ archive: any StoreArchive, _ header: ArchiveHeader, _ keys: MetadataKeys?) throws {
        let target = try NewFile(file)
        var writer = ExportWriter { SHA256.digest(of: $0) }
        if resume {
            writer = try resumed(target)
        } else {
            guard !target.hasPartial else {
                throw CommandFailure.usage(
                    "\(target.partial): left of an export that did not end; give --resume, or delete it")
            }
            try target.make()
        }
        guard let handle = FileHandle(forWritingAtPath: target.partial) else { throw target.refusal(EACCES) }
        try handle.seekToEnd()
        let output = LineOutput(handle, name: file)
        let bar = ProgressBar("writing links", all: header.links)
        var lines = writer.links
        try writer.run(archive, header: header, opening: keys) { line in
            try output.write(line)
            lines += 1
            bar.show(lines)
        }
        try output.flush()
        try handle.close()
        try target.finish()
        bar.end()
        print("wrote \(writer.links) links to \(file)")
    }

    /// Reads the partial file, and removes an incomplete last line.
    private func resumed(_ target: NewFile) throws -> ExportWriter {
        guard target.hasPartial else {
            throw CommandFailure.usage("\(target.partial): the file does not exist; there is nothing to go on with")
        }
        let lines = try LineFile(target.partial)
        defer { lines.close() }
        var writer = ExportWriter { SHA256.digest(of: $0) }
        var end = 0
        let hasLinks: Bool
        do {
            hasLinks = try writer.resume {
                let line = try lines.next()
                guard !lines.endsInLine else { return nil }
                end = lines.offset
                return line
            }
        } catch let error as ArchiveFailure {
            throw CommandFailure.failed("\(target.partial): \(error.description)")
        }
        // Safety: the path is lent as a C string for the call.
        guard unsafe truncate(target.partial, off_t(hasLinks ? end : 0)) == 0 else { throw target.refusal(errno) }
        return hasLinks ? writer : ExportWriter { SHA256.digest(of: $0) }
    }
}
