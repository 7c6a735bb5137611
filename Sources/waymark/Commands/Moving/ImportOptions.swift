import ArgumentParser
import Foundation
import WaymarkClient
import WaymarkImports
import WaymarkLinks
import WaymarkSite

/// Which links a command reads: of files, or of a service's interface.
struct ImportOptions: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("\(ForeignService.names).", valueName: "source"))
    var from: String

    @Argument(help: ArgumentHelp("The files that the service exported; - is standard input.", valueName: "file"))
    var files: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A key of the service's interface, to read the links from there; better given in the environment. [WAYMARK_IMPORT_KEY]",
            valueName: "key"))
    var apiKey: String?

    @Option(
        name: .long, help: ArgumentHelp("Where the interface is; needed for shlink, kutt and yourls.", valueName: "url")
    )
    var apiURL: String?

    @Option(
        name: .long, parsing: .singleValue,
        help: ArgumentHelp(
            "Which member of a link a column is, such as Target=urls.web; the column by its heading or number. May be repeated.",
            valueName: "column=field"))
    var map: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp("Of times that name no zone, such as Europe/Berlin. [default: UTC]", valueName: "zone"))
    var timeZone: String?

    var service: ForeignService {
        get throws {
            guard let service = ForeignService(rawValue: from) else {
                throw CommandFailure.usage("--from: \"\(from)\" is not allowed; give one of \(ForeignService.names)")
            }
            return service
        }
    }

    var key: String? { apiKey ?? ProcessInfo.processInfo.environment["WAYMARK_IMPORT_KEY"] }

    var time: ForeignTime {
        get throws {
            guard let timeZone else { return ForeignTime() }
            guard let time = ForeignTime(zone: timeZone) else {
                throw CommandFailure.usage(
                    "--time-zone: \"\(timeZone)\" is no name of the IANA Time Zone Database; give one such as Europe/Berlin"
                )
            }
            return time
        }
    }

    /// - Parameter progress: Told how many bytes of the files were read.
    func source(_ progress: ReadingProgress) async throws -> any LinkSource {
        let service = try service
        let time = try time
        let columns = try await reading("--map: ") { try ColumnMap(map) }
        return try await reading {
            guard !files.isEmpty else {
                guard service.hasAPI, let key else {
                    throw CommandFailure.usage(service.hasAPI ? "give a file, or --api-key" : "give a file")
                }
                return try service.links(of: ServiceAccess(key: key, url: apiURL), time: time, over: connection)
            }
            if service == .kutt, let database = try KuttDatabase.source(files, time: time) { return database }
            let lookup = try key.map {
                try service.branchLookup(ServiceAccess(key: $0, url: apiURL), time, over: connection)
            }
            let opened = try files.map { path in
                try progress.expect(path)
                return ForeignFile(name: path, reopen: Self.isFile(path) ? { try progress.reader(path) } : nil) {
                    try progress.reader(path)
                }
            }
            return try await service.links(
                in: opened, map: columns, time: time, branchLinks: service == .branch ? lookup : nil)
        }
    }

    private var connection: ServiceConnection {
        ServiceConnection(
            HTTPClient(userAgent: Version.userAgent),
            pause: { seconds in
                if seconds >= 5 { StandardError.write("the service asks to wait for \(seconds) s") }
                try await Task.sleep(for: .seconds(seconds))
            })
    }

    /// Whether `source` gives the same rows a second time: standard input and pipes are read once only.
    var canBeReadAgain: Bool { files.allSatisfy(Self.isFile) }

    private static func isFile(_ path: String) -> Bool {
        let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        return path != "-" && type == .typeRegular
    }

    private func reading<Value>(_ option: String = "", _ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as SourceError {
            throw CommandFailure.usage(option + error.description)
        }
    }
}

/// How much of the files was read, to say how long the rest takes.
final class ReadingProgress {
    private static let piece = 1 << 16

    private(set) var size = 0
    private(set) var bytes = 0

    /// How many rows there are, judged by those so far; 0 while that is not known.
    func rows(from done: Int) -> Int {
        guard bytes > 0, size > 0 else { return 0 }
        return Int(Double(done) * max(1, Double(size) / Double(bytes)))
    }

    /// - Throws: `CommandFailure` where there is no such file.
    func expect(_ path: String) throws {
        guard path != "-" else { return }
        // Safety: Foundation writes one ObjCBool through the pointer during the call.
        var isFolder: ObjCBool = false
        guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw CommandFailure.usage("\(path): the file does not exist")
        }
        guard !isFolder.boolValue else { throw CommandFailure.usage("\(path): it is a folder; give a file") }
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        size += (attributes?[.size] as? Int) ?? 0
    }

    func reader(_ path: String) throws -> () throws -> [UInt8] {
        let handle: FileHandle
        if path == "-" {
            handle = .standardInput
        } else {
            guard let opened = FileHandle(forReadingAtPath: path) else {
                throw SourceError("\(path): the file can't be read")
            }
            handle = opened
        }
        // A closed file can't be read, and a reader may ask again behind the end.
        var isAtEnd = false
        return { [self] in
            guard !isAtEnd else { return [] }
            do {
                let data = try handle.read(upToCount: Self.piece) ?? Data()
                bytes += data.count
                isAtEnd = data.isEmpty
                if isAtEnd, path != "-" { try? handle.close() }
                return Array(data)
            } catch {
                throw SourceError("\(path): the file can't be read")
            }
        }
    }
}
