import Foundation
import WaymarkJSON

/// A file of links as code, whose objects are not read yet: each is read alone, so that only one takes memory.
struct CodeFile: Sendable {
    /// As a person would type it.
    let path: String
    let document: JSONDocument

    static let members = ["applications", "links", "webhooks"]
    /// Bytes of one file, and of all together.
    private static let sizeLimit = 32 << 20
    private static let totalLimit = 64 << 20
    private static let fileLimit = 2_000
    private static let depthLimit = 16
    /// Objects of one kind in a file.
    private static let objectLimit = 100_000

    private static let shape = JSONShape.object(
        ["$schema": .scalar].merging(members.map { ($0, .array(.scalar, atMost: objectLimit)) }) { $1 })

    /// The files in a folder and its folders by name, or the one that is named. Hidden ones are left out, symbolic links in a folder
    /// refused.
    ///
    /// - Throws: `CommandFailure` if the path can't be used at all.
    static func all(at path: String, _ problems: inout CodeProblems) throws -> [CodeFile] {
        guard let type = type(of: path) else {
            throw CommandFailure.usage("\(path): there is no such file or folder")
        }
        var paths: [String] = []
        if type == .typeDirectory {
            try find(in: path, depth: 0, &paths, &problems)
            if paths.isEmpty, problems.isEmpty {
                throw CommandFailure.usage("\(path): the folder has no .json file")
            }
        } else if !refusesYAML(path, &problems) {
            paths = [path]
        }
        var files: [CodeFile] = []
        var total = 0
        for path in paths {
            guard let bytes = try bytes(path, &problems) else { continue }
            total += bytes.count
            guard total <= totalLimit else {
                throw CommandFailure.usage("\(path): all files together may have \(totalLimit >> 20) MiB")
            }
            if let file = read(path, bytes, &problems) { files.append(file) }
        }
        return files
    }

    /// Of what the path leads to; nil if there is nothing.
    static func type(of path: String) -> FileAttributeType? {
        let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        return (try? FileManager.default.attributesOfItem(atPath: path))?[.type] as? FileAttributeType
    }

    private static func find(
        in folder: String, depth: Int, _ paths: inout [String], _ problems: inout CodeProblems
    ) throws {
        guard depth < depthLimit else {
            throw CommandFailure.usage("\(folder): folders may be nested \(depthLimit) deep")
        }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            throw CommandFailure.usage("\(folder): the folder can't be read")
        }
        for name in names.sorted() where !name.hasPrefix(".") {
            let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
            let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
            if type == .typeSymbolicLink {
                // It may lead out of the folder, and what it leads to would count as removed if it were left out.
                problems.add(path, "is a symbolic link; put the file or folder itself there")
                continue
            }
            if type == .typeDirectory {
                guard !name.lowercased().hasSuffix(".json") else {
                    problems.add(path, "is a folder; give it a name that does not end in .json")
                    continue
                }
                try find(in: path, depth: depth + 1, &paths, &problems)
                continue
            }
            if refusesYAML(path, &problems) { continue }
            guard name.hasSuffix(".json") else {
                // Its links would count as removed.
                if name.lowercased().contains(".json") {
                    problems.add(path, "is not read; let its name end in .json, or move it elsewhere")
                }
                continue
            }
            guard type == .typeRegular else {
                // It may never end.
                problems.add(path, "is no ordinary file; put the file itself there")
                continue
            }
            guard paths.count < fileLimit else {
                throw CommandFailure.usage("\(folder): at most \(fileLimit) files are read; put more links into each")
            }
            paths.append(path)
        }
    }

    private static func refusesYAML(_ path: String, _ problems: inout CodeProblems) -> Bool {
        let name = path.lowercased()
        guard name.hasSuffix(".yaml") || name.hasSuffix(".yml") else { return false }
        problems.add(path, "YAML is not read; write JSON, for example with yq -o json")
        return true
    }

    private static func bytes(_ path: String, _ problems: inout CodeProblems) throws -> [UInt8]? {
        guard type(of: path) == .typeRegular else {
            problems.add(path, "is no ordinary file")
            return nil
        }
        guard let handle = FileHandle(forReadingAtPath: path) else {
            problems.add(path, "the file \(JSONFile.unreadable(path, CocoaError(.fileReadNoPermission)))")
            return nil
        }
        defer { try? handle.close() }
        let data = try? handle.read(upToCount: sizeLimit + 1)
        guard let data, data.count <= sizeLimit else {
            problems.add(path, data == nil ? "is empty" : "may have \(sizeLimit >> 20) MiB; split the file")
            return nil
        }
        return Array(data)
    }

    private static func read(_ path: String, _ bytes: [UInt8], _ problems: inout CodeProblems) -> CodeFile? {
        let document: JSONDocument
        do throws(JSONError) {
            document = try JSONDocument(bytes, shape: shape)
        } catch {
            problems.add("\(path):\(error.line)", error.problem)
            return nil
        }
        let file = CodeFile(path: path, document: document)
        guard let object = document.root.object else {
            problems.add(path, "must be an object with \(members.joined(separator: ", ")), not \(document.root.noun)")
            return nil
        }
        for member in object.members where member.name != "$schema" {
            let place = CodePlace(path, bytes, at: member.nameRange.lowerBound)
            guard members.contains(member.name) else {
                problems.add(place, "\(member.name.shown) is not known\(Self.question(member.name, members))")
                continue
            }
            if member.value.array == nil {
                problems.add(place, "\(member.name) must be an array, not \(member.value.noun)")
            } else if let count = document.countBeyondMaximum(of: member.value) {
                problems.add(place, "\(member.name) must hold at most \(objectLimit) elements, not \(count)")
            }
        }
        return file
    }

    /// The elements of one of `members`.
    func elements(_ name: String) -> [JSONValue] { document.root[name]?.array ?? [] }

    func place(of value: JSONValue) -> CodePlace {
        CodePlace(path, document.source, at: value.range.lowerBound)
    }

    /// What a name that is not known may mean.
    static func question(_ name: String, _ names: [String]) -> String {
        NearestName.of(name, in: names).map { "; did you mean \"\($0)\"?" } ?? ""
    }
}

extension String {
    /// Short enough for a message.
    fileprivate var shown: String { "\"\(prefix(64))\"" }
}
