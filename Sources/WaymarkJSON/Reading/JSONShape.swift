/// How much of a text is worth memory: which members are known, and how many elements an array may hold.
///
/// What a shape does not want is checked for its grammar and forgotten, so that a body costs memory by what it may hold
/// and not by its length: an array beyond its maximum keeps the elements up to it, an unknown member that is an array or
/// an object is empty. Numbers, strings and words are always read. `JSONDocument.isWhole` tells whether anything was
/// left out.
package indirect enum JSONShape: Sendable {
    /// Anything, read whole; for parts that something else bounds.
    case any
    /// A value without parts: an array or an object in its place is read as an empty one.
    case scalar
    /// Anything of at most so many bytes; what is longer is read as an empty value of its kind.
    case bytes(atMost: Int)
    /// Of other members the first `unknownLimit` keep their names.
    case object([String: JSONShape])
    /// An object whose names the sender chooses.
    case map(JSONShape, atMost: Int)
    case array(JSONShape, atMost: Int)

    /// How many unknown members of an object are kept.
    package static let unknownLimit = 200
}

extension JSONShape {
    /// The shape of the object's member of that name.
    func member(_ name: String) -> JSONShape? {
        switch self {
        case .any: .any
        // Hashing a string normalizes it, which costs much where it is long and not ASCII.
        case .object(let members): name.utf8.count <= Self.longestName ? members[name] : nil
        case .map(let value, _): value
        case .scalar, .bytes, .array: nil
        }
    }

    /// Bytes; no shape knows a longer name.
    private static let longestName = 64

    /// How many members an object may have whose names the sender chooses.
    var chosenNameLimit: Int {
        switch self {
        case .map(_, let limit): limit
        case .any, .object, .scalar, .bytes, .array: .max
        }
    }

    /// Whether names that `member(_:)` does not know may still be kept, to be told of.
    var keepsUnknownNames: Bool {
        switch self {
        case .object: true
        default: false
        }
    }

    /// The elements' shape and how many there may be; nil where no array is wanted.
    var elements: (shape: JSONShape, limit: Int)? {
        switch self {
        case .any: (.any, .max)
        case .array(let shape, let limit): (shape, limit)
        case .object, .map, .scalar, .bytes: nil
        }
    }

    /// Whether an object in this place is read.
    var wantsObject: Bool {
        switch self {
        case .any, .object, .map: true
        case .scalar, .bytes, .array: false
        }
    }
}

extension JSONShape {
    /// Where a merge patch says null to a member that does not exist: `social.titel`. A name that the sender chooses
    /// always may.
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
