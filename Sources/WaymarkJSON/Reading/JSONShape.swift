/// The parts of a text to store: the known members, and the maximum number of elements of each array.
///
/// Other parts are checked for their grammar and dropped, so that a body's memory is bounded by its shape and not by
/// its length: an array beyond its maximum keeps the elements up to it, an unknown member that is an array or an
/// object is empty. Numbers, strings and literals are always read. `JSONDocument.isWhole` is false if anything was
/// dropped.
package indirect enum JSONShape: Sendable {
    /// Any value, read completely; for parts that are bounded in another way.
    case any
    /// A value without parts: an array or an object instead is read as an empty one.
    case scalar
    /// Any value of at most this many bytes; a longer one is read as an empty value of its kind.
    case bytes(atMost: Int)
    /// The names of unknown members are stored too, up to `unknownLimit`.
    case object([String: JSONShape])
    /// An object with arbitrary names.
    case map(JSONShape, atMost: Int)
    case array(JSONShape, atMost: Int)

    /// Maximum number of stored unknown members of an object.
    package static let unknownLimit = 200
}

extension JSONShape {
    /// The shape of the object's member with this name.
    func member(_ name: String) -> JSONShape? {
        switch self {
        case .any: .any
        // Hashing a string normalizes it, which is expensive for long non-ASCII strings.
        case .object(let members): name.utf8.count <= Self.longestName ? members[name] : nil
        case .map(let value, _): value
        case .scalar, .bytes, .array: nil
        }
    }

    /// Bytes; no shape has a longer name.
    private static let longestName = 64

    /// Maximum number of members of an object with arbitrary names.
    var chosenNameLimit: Int {
        switch self {
        case .map(_, let limit): limit
        case .any, .object, .scalar, .bytes, .array: .max
        }
    }

    /// Whether names that `member(_:)` does not know are stored, to be reported.
    var keepsUnknownNames: Bool {
        switch self {
        case .object: true
        default: false
        }
    }

    /// The shape and the maximum number of the elements; nil if no array is expected.
    var elements: (shape: JSONShape, limit: Int)? {
        switch self {
        case .any: (.any, .max)
        case .array(let shape, let limit): (shape, limit)
        case .object, .map, .scalar, .bytes: nil
        }
    }

    /// Whether an object is read here.
    var wantsObject: Bool {
        switch self {
        case .any, .object, .map: true
        case .scalar, .bytes, .array: false
        }
    }
}

extension JSONShape {
    /// Paths at which a merge patch sets a non-existent member to null, such as `social.titel`. Arbitrary names are
    /// always allowed.
    package func unknownRemovals(in patch: JSONValue) -> [String] {
        var found: [String] = []
        findUnknownRemovals(in: patch, at: "", &found)
        return found
    }

    private func findUnknownRemovals(in patch: JSONValue, at path: String, _ found: inout [String]) {
        guard let object = patch.object, wantsObject else { return }
        for member in object.members {
            let field = path.isEmpty ? member.name : "\(path).\(member.name)"
            if let shape = self.member(member.name) {
                shape.findUnknownRemovals(in: member.value, at: field, &found)
            } else if keepsUnknownNames, member.value.isNull {
                found.append(field)
            }
        }
    }
}
