import WaymarkAPI
package import WaymarkLinks

/// How stores find the links of a folder: among the tags, under names that no tag has, because tags have no control
/// characters.
package enum FolderIndex {
    private static let mark = "\u{1}"

    /// Finds the links in a folder and in the folders below it.
    ///
    /// - Parameter application: nil: of all applications.
    static func tag(_ folder: String, of application: ApplicationID?) -> String {
        mark + (application?.text ?? "") + mark + folder
    }

    /// The folder of such a name; nil for a tag of a link.
    package static func folder(ofTag tag: String) -> String? {
        tag.utf8.first == mark.utf8.first ? tag.split(separator: mark).last.map(String.init) : nil
    }

    /// A folder and those that it is in.
    static func ancestors(of folder: String) -> [String] {
        let bytes = folder.utf8
        let ends = bytes.indices.filter { bytes[$0] == UInt8(ascii: "/") }
        return ends.map { String(folder[..<$0]) } + [folder]
    }

    /// Whether a link's folder is the other one, or below it.
    static func isWithin(_ folder: String, _ other: String) -> Bool {
        let rest = folder.utf8.dropFirst(other.utf8.count)
        return folder.utf8.starts(with: other.utf8) && (rest.isEmpty || rest.first == UInt8(ascii: "/"))
    }
}

extension LinkContent {
    /// Under which names the index of tags has a link of the application.
    package func indexedTags(of application: ApplicationID) -> Set<String> {
        var names = Set(self.tags)
        guard let folder = self.labels[.folder] else { return names }
        for ancestor in FolderIndex.ancestors(of: folder) {
            names.insert(FolderIndex.tag(ancestor, of: nil))
            names.insert(FolderIndex.tag(ancestor, of: application))
        }
        return names
    }
}
