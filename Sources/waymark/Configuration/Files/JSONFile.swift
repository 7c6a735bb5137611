import Foundation
import WaymarkJSON

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
            let reason = FileManager.default.fileExists(atPath: path) ? "can't be read" : "does not exist"
            throw CommandFailure.usage("\(path): the file \(reason)")
        }
    }
}
