/// A text about a link for its owners: found by searches, in exports and in the history, never shown to visitors and no
/// part of a decision. A row of `all` is everything that a new one needs in the server.
package struct LinkLabel: Sendable, Hashable {
    package let name: StaticString
    /// In characters (Unicode scalars, as JSON Schema counts them).
    package let limit: Int
    package let form: Form
    /// Of the field in stores: it never changes, and no other field of a link has it.
    package let tag: UInt8
    /// The format of stored links (`FormatLevel`) whose programs are the first that read it.
    package let level: Int

    package enum Form: Sendable {
        case line
        /// With line breaks and tabs.
        case lines
        /// Names separated by slashes, at most `depth`.
        case path
    }

    private init(_ name: StaticString, atMost limit: Int, _ form: Form, tag: UInt8, level: Int) {
        self.name = name
        self.limit = limit
        self.form = form
        self.tag = tag
        self.level = level
    }

    /// How many names a path may have: stores keep a link under each folder that it is in.
    package static let depth = 10

    package static let title = LinkLabel("title", atMost: 200, .line, tag: 16, level: 2)
    package static let note = LinkLabel("note", atMost: 2_000, .lines, tag: 17, level: 2)
    package static let folder = LinkLabel("folder", atMost: 200, .path, tag: 24, level: 3)

    /// Who keeps the link, such as the folder of files that `waymark apply` read: others leave it alone.
    package static let managedBy = LinkLabel("managedBy", atMost: 100, .line, tag: 26, level: 3)

    /// With ascending tags.
    package static let all = [title, note, folder, managedBy]

    /// As sentences name them: `title, note, folder, managedBy`.
    package static let names = all.map(\.text).joined(separator: ", ")

    package var text: String { String(describing: name) }

    package static func == (one: LinkLabel, other: LinkLabel) -> Bool { one.tag == other.tag }
    package func hash(into hasher: inout Hasher) { hasher.combine(tag) }
}

/// The labels of one link.
package struct LinkLabels: Sendable, Hashable {
    /// With ascending tags.
    package private(set) var entries: [Entry] = []

    package struct Entry: Sendable, Hashable {
        package let label: LinkLabel
        package let value: String
    }

    package init() {}

    package subscript(label: LinkLabel) -> String? {
        get { entries.first { $0.label == label }?.value }
        set {
            let index = entries.firstIndex { $0.label.tag >= label.tag } ?? entries.endIndex
            if index < entries.endIndex, entries[index].label == label { entries.remove(at: index) }
            if let newValue { entries.insert(Entry(label: label, value: newValue), at: index) }
        }
    }
}
