import Foundation
import WaymarkJSON
import WaymarkLinks
import WaymarkService
import WaymarkSite

/// A JSON file, with errors that name the file and the position.
enum JSONFile {
    static func read(_ path: String) throws -> JSONDocument {
        let bytes = try bytes(path)
        do throws(JSONError) {
            return try JSONDocument(bytes)
        } catch {
            throw CommandFailure.usage("\(path): \(error)")
        }
    }

    static func bytes(_ path: String) throws -> [UInt8] {
        do {
            return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        } catch {
            throw CommandFailure.usage("\(path): the file \(unreadable(path, error))")
        }
    }

    /// Why a file could not be read, after "the file".
    static func unreadable(_ path: String, _ error: any Error) -> String {
        // A file in a folder that may not be searched seems not to exist.
        guard (error as? CocoaError)?.code != .fileReadNoPermission else { return "may not be read by this user" }
        return FileManager.default.fileExists(atPath: path) ? "can't be read" : "does not exist"
    }
}

extension ApplicationsFile {
    /// The applications in the configured file; empty if none is configured.
    ///
    /// - Throws: `CommandFailure` in one line, with all problems and their paths.
    static func read(_ path: String?) throws -> [ApplicationDefinition] {
        guard let path else { return [] }
        switch read(try JSONFile.bytes(path)) {
        case .definitions(let definitions):
            let problems = ApplicationRegistry.problems(inFile: definitions)
            guard problems.isEmpty else { throw CommandFailure.usage("\(path): \(problems.joined(separator: "; "))") }
            return definitions
        case .problems(let problems):
            throw CommandFailure.usage("\(path): \(problems.joined(separator: "; "))")
        }
    }
}

/// The file configured as `blockedHostsFile`: hosts that links must not lead to, one per line.
enum BlockedHostsFile {
    /// In bytes; enough for some million hosts.
    static let limit = 256 << 20

    /// Empty if no file is configured.
    ///
    /// - Throws: `CommandFailure` in one line with the file and the line number.
    static func read(_ path: String?) throws -> HostSet {
        guard let path else { return HostSet() }
        let bytes = try JSONFile.bytes(path)
        guard bytes.count <= limit else {
            throw CommandFailure.usage("\(path): the file is longer than \(limit >> 20) MiB")
        }
        do throws(HostList.BadLine) {
            return try HostList.read(bytes)
        } catch {
            throw CommandFailure.usage(
                "\(path): line \(error.number): \(error.problem); give a host such as bad.example or *.bad.example")
        }
    }
}
