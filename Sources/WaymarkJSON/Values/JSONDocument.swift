/// A JSON text and its value.
package struct JSONDocument: Sendable {
    package let source: [UInt8]
    package let root: JSONValue
    /// Members whose name occurred earlier in their object; only if requested.
    package let repeatedMembers: [JSONObject.Member]
    /// Whether `root` contains everything in the text; false if a shape dropped something.
    package let isWhole: Bool
    private let overlong: [Int: Int]

    /// The default limit of nested arrays and objects.
    package static let defaultDepthLimit = 32

    /// Reads one JSON text (RFC 8259) strictly: no byte order mark, comment, trailing comma, duplicate name or
    /// unpaired surrogate, and valid UTF-8 only. Linear in the length of the text.
    ///
    /// - Parameters:
    ///   - depthLimit: maximum nesting of arrays and objects, clamped to 1...128.
    ///   - shape: the parts of the text to store.
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

    /// Reads one element of an array that was read as `JSONShape.scalar`, with its own shape.
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

    /// A value without its text.
    package init(root: JSONValue) {
        self.root = root
        source = []
        repeatedMembers = []
        isWhole = true
        overlong = [:]
    }

    /// The value's number of elements or members in the text, if it exceeds the shape's limit; else nil.
    package func countBeyondMaximum(of value: JSONValue) -> Int? { overlong[value.range.lowerBound] }

    /// The canonical text of all bodies with the same meaning (`JSONValue.canonicalBytes`); the text itself if parts
    /// of it were dropped, because bodies that differ only there must not be equal.
    package var canonicalBytes: [UInt8] {
        if isWhole { return root.canonicalBytes }
        return root.range.isEmpty ? source : Array(source[root.range])
    }

    /// Reads a text that another, possibly less strict, program will also read: duplicate names are not an error. The
    /// last value is used, and `repeatedMembers` lists every member that replaced another.
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

    /// Reads a text like `init(keepingRepeatedMembersOf:depthLimit:)`, but uses the first value of duplicate names;
    /// `repeatedMembers` lists the others.
    package init(
        keepingFirstOfRepeatedMembersOf source: [UInt8], depthLimit: Int = defaultDepthLimit
    ) throws(JSONError) {
        var reader = JSONReader(source, depthLimit: depthLimit)
        reader.keepsRepeatedMembers = true
        reader.replacesRepeatedMembers = false
        self.root = try reader.document()
        self.source = source
        repeatedMembers = reader.repeatedMembers
        isWhole = true
        overlong = [:]
    }

    /// Reads a text from a string.
    package init(_ source: String, depthLimit: Int = defaultDepthLimit) throws(JSONError) {
        try self.init(Array(source.utf8), depthLimit: depthLimit)
    }

    /// The value exactly as in the text: white space, escapes and number formats unchanged. A value that was built in
    /// code has no text and is written compactly. The value must not come from another document.
    package func text(of value: JSONValue) -> [UInt8] {
        guard !value.range.isEmpty, value.range.upperBound <= source.count else { return value.bytes() }
        return Array(source[value.range])
    }

    /// The start of the value; for messages (linear in the offset).
    package func position(of value: JSONValue) -> JSONPosition {
        JSONPosition(of: value.range.lowerBound, in: source)
    }

    /// The start of the member's name; for messages (linear in the offset).
    package func position(of member: JSONObject.Member) -> JSONPosition {
        JSONPosition(of: member.nameRange.lowerBound, in: source)
    }
}

extension JSONValue {
    /// Reads one JSON text as `JSONDocument` does, for callers that don't need the text of its parts.
    package init(
        parsing source: [UInt8], depthLimit: Int = JSONDocument.defaultDepthLimit
    ) throws(JSONError) {
        var reader = JSONReader(source, depthLimit: depthLimit)
        self = try reader.document()
    }

    /// Reads a text from a string.
    package init(
        parsing source: String, depthLimit: Int = JSONDocument.defaultDepthLimit
    ) throws(JSONError) {
        try self.init(parsing: Array(source.utf8), depthLimit: depthLimit)
    }
}
