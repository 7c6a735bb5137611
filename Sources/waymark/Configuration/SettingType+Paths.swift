import Foundation
import WaymarkBytes
import WaymarkJSON

extension SettingType<String> {
    /// A path; in a file, relative paths are relative to the file's folder.
    static var path: SettingType {
        string("a path", placeholder: "file", convert: { resolve($0, $1) }, write: \.self)
    }

    /// A folder that exists.
    static var folder: SettingType {
        string(
            "a folder that exists", placeholder: "dir",
            convert: { text, source in
                guard let path = resolve(text, source) else { return nil }
                // Safety, here and below: Foundation writes one ObjCBool through the pointer during the call.
                var isFolder: ObjCBool = false
                let exists = unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
                return exists && isFolder.boolValue ? path : nil
            }, write: \.self)
    }

    /// The same, or empty where none is given.
    static var folderOrNone: SettingType {
        SettingType(
            folder.allowed, placeholder: folder.placeholder, read: folder.read,
            write: { $0.isEmpty ? .null : JSONValue($0) })
    }

    /// A file that is writable or can be created.
    static var logFile: SettingType {
        string(
            "a file that can be written, in a folder that exists", placeholder: "file",
            convert: { text, source in
                guard let path = resolve(text, source) else { return nil }
                let files = FileManager.default
                var isFolder: ObjCBool = false
                // unsafe because the result is written through a pointer, which lives as long as the call.
                let isWritable =
                    unsafe files.fileExists(atPath: path, isDirectory: &isFolder)
                    ? !isFolder.boolValue && files.isWritableFile(atPath: path)
                    : files.isWritableFile(atPath: path.folderOfPath)
                return isWritable ? path : nil
            }, write: \.self)
    }

    /// Nil if the text is not a path.
    private static func resolve(_ text: String, _ source: SettingSource) -> String? {
        text.isEmpty || text.utf8.contains(0) ? nil : text.relative(to: source.folder)
    }
}

extension String {
    /// Resolves a path in a configuration file: relative paths are relative to the file's folder.
    func relative(to folder: String) -> String {
        hasPrefix("/") || folder == "." ? self : folder + "/" + self
    }
}

/// A path and its setting, for error messages.
struct NamedPath: Sendable, Equatable {
    let path: String
    let name: String
}

extension SettingType<NamedPath> {
    static var namedPath: SettingType {
        let type = SettingType<String>.path
        return SettingType(
            type.allowed, placeholder: type.placeholder,
            read: { NamedPath(path: try type.read($0, $1), name: $1.name) }, write: { type.write($0.path) })
    }
}
