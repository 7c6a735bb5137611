/// A text and the value that was read from it.
package struct JSONDocument: Sendable {
    package let source: [UInt8]
    package let root: JSONValue
    /// Members whose name stood in their object before; only where they were asked to be kept.
    package let repeatedMembers: [JSONObject.Member]
    /// Whether `root` holds everything that the text does; false where a shape left something out.
    package let isWhole: Bool
    private let overlong: [Int: Int]

    /// How many arrays and objects may stand inside one another where the caller sets no limit of its own.
    package static let defaultDepthLimit = 32

    /// Reads one JSON text (RFC 8259), strictly: no byte order mark, no comment, no trailing comma, no name twice in
    /// one object, no half of a surrogate pair, valid UTF-8 only. Linear in the length of the text.
    ///
    /// - Parameters:
    ///   - depthLimit: how many arrays and objects may stand inside one another, 1 to 128; what is
    ///     beyond counts as the nearer end.
    ///   - shape: what of the text is worth memory.
    package init(
        _ source: [UInt8], depthLimit: Int = defaultDepthLimit, shape: JSONShape = .any
    ) throws(JSONError) {
        var reader = JSONReader(source, depthLimit: depthLimit)
        self.root = try reader.document(shape)
        self.source = source
        repeatedMembers = []
        isWhole = reader.isWhole
        overlong = reader.overlong
    }

    /// Reads one element of an array that was read as `JSONShape.scalar`, with a shape of its own.
    package init(
        element: JSONValue, of document: JSONDocument, depthLimit: Int = defaultDepthLimit, shape: JSONShape
    ) throws(JSONError) {
        var reader = JSONReader(document.source, depthLimit: depthLimit)
        self.root = try reader.part(from: element.range.lowerBound, depth: 1, shape)
        self.source = document.source
        repeatedMembers = []
        isWhole = reader.isWhole
        overlong = reader.overlong
    }

    /// How many elements or members the text gives the value, where that is more than its shape allows; else nil.
    package func countBeyondMaximum(of value: JSONValue) -> Int? { overlong[value.range.lowerBound] }

    /// The one text of all bodies that mean the same (`JSONValue.canonicalBytes`); the text itself where something of
    /// it was left out, because two bodies that differ there must not be taken for one.
    package var canonicalBytes: [UInt8] {
        if isWhole { return root.canonicalBytes }
        return root.range.isEmpty ? source : Array(source[root.range])
    }

    /// Reads a text that someone else will read, too, and perhaps less strictly: a name that stands twice in an object is
    /// no error. The last value is taken, and `repeatedMembers` lists every one that took another's place.
    package init(
        keepingRepeatedMembersOf source: [UInt8], depthLimit: Int = defaultDepthLimit
    ) throws(JSONError) {
        var reader = JSONReader(source, depthLimit: depthLimit)
        reader.keepsRepeatedMembers = true
        self.root = try reader.document()
        self.source = source
        repeatedMembers = reader.repeatedMembers
        isWhole = true
        overlong = [:]
    }

    /// Reads a text that is at hand as a string.
    package init(_ source: String, depthLimit: Int = defaultDepthLimit) throws(JSONError) {
        try self.init(Array(source.utf8), depthLimit: depthLimit)
    }

    /// The value exactly as it stands in the text: white space, escapes and spelling of numbers unchanged. A value
    /// that was built in code has no text and is written compactly. The value must not come from another document.
    package func text(of value: JSONValue) -> [UInt8] {
        guard !value.range.isEmpty, value.range.upperBound <= source.count else { return value.bytes() }
        return Array(source[value.range])
    }

    /// Where the value begins; for messages (linear in the offset).
    package func position(of value: JSONValue) -> JSONPosition {
        JSONPosition(of: value.range.lowerBound, in: source)
    }

    /// Where the member's name begins; for messages (linear in the offset).
    package func position(of member: JSONObject.Member) -> JSONPosition {
        JSONPosition(of: member.nameRange.lowerBound, in: source)
    }
}

extension JSONValue {
    /// Reads one JSON text as `JSONDocument` does, for callers who need no text of its parts.
    package init(
        parsing source: [UInt8], depthLimit: Int = JSONDocument.defaultDepthLimit
    ) throws(JSONError) {
        var reader = JSONReader(source, depthLimit: depthLimit)
        self = try reader.document()
    }

    /// Reads a text that is at hand as a string.
    package init(
        parsing source: String, depthLimit: Int = JSONDocument.defaultDepthLimit
    ) throws(JSONError) {
        try self.init(parsing: Array(source.utf8), depthLimit: depthLimit)
    }
}
