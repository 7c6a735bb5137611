import WaymarkBytes

/// `static/path/:variable`, without slashes at its ends.
package struct Route: Hashable, Sendable {
    /// Normalised: the given text without leading and trailing slashes and empty segments.
    package let text: String
    /// In order of appearance.
    package let variables: [String]

    /// Nil for an invalid route.
    package init?(_ text: String) {
        guard let checked = Route.check(text).value else { return nil }
        self = checked
    }

    private init(checked text: String, variables: [String]) {
        self.text = text
        self.variables = variables
    }

    package static func == (one: Route, other: Route) -> Bool { one.text == other.text }
    package func hash(into hasher: inout Hasher) { hasher.combine(text) }

    package static let maximumLength = 512
    package static let maximumSegments = 32

    static func check(_ given: String) -> Checked<Route> {
        guard given.utf8.count <= maximumLength else { return .problem("is longer than \(maximumLength) bytes") }
        // As bytes, whose parts are found in half the time of a string's: a link's route is checked again when it is indexed.
        let segments = Array(given.utf8).split(separator: UInt8(ascii: "/"))
        guard !segments.isEmpty else { return .problem("is empty") }
        guard segments.count <= maximumSegments else { return .problem("has more than \(maximumSegments) segments") }
        var names: [String] = []
        for segment in segments {
            switch Variable.read(segment) {
            case .partial: return .problem("may hold a variable only as a whole segment")
            case .whole(let name):
                guard !names.contains(name) else { return .problem("holds the variable :\(name) twice") }
                names.append(name)
            case .none:
                if let problem = problem(ofStatic: segment) { return .problem(problem) }
            }
        }
        let isSanitized = segments.reduce(segments.count - 1) { $0 + $1.count } == given.utf8.count
        let sanitized =
            isSanitized ? given : segments.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "/")
        return .valid(Route(checked: sanitized, variables: names))
    }

    private static func problem(ofStatic segment: ArraySlice<UInt8>) -> String? {
        if segment.elementsEqual(".".utf8) || segment.elementsEqual("..".utf8) {
            return "must not hold the segments . and .."
        }
        var rest = segment
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "?"), UInt8(ascii: "#"): return "must not hold a query or a fragment"
            case UInt8(ascii: ":"): return "may hold a variable only as a whole segment"
            case UInt8(ascii: "%"):
                guard rest.popFirst()?.hexadecimalValue != nil, rest.popFirst()?.hexadecimalValue != nil else {
                    return "holds a % that two hexadecimal digits don't follow"
                }
            case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "!"),
                UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "("), UInt8(ascii: ")"),
                UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "="),
                UInt8(ascii: "@"):
                break
            default:
                guard byte.isAlphanumeric else { return "holds a character that a path segment can't hold as it is" }
            }
        }
        return nil
    }

    var segments: [Substring.UTF8View] { text.utf8.split(separator: UInt8(ascii: "/")) }

    /// The path with each variable replaced by its value, encoded as one segment; without a leading slash.
    package func fill(_ parameters: [String: String]) -> String {
        var bytes: [UInt8] = []
        appendFilled(parameters, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    func appendFilled(_ parameters: [String: String], to bytes: inout [UInt8]) {
        var isFirst = true
        for segment in segments {
            if !isFirst { bytes.append(UInt8(ascii: "/")) }
            isFirst = false
            if case .whole(let name) = Variable.read(segment), let value = parameters[name] {
                PercentEncoding.append(part: value.utf8, to: &bytes)
            } else {
                bytes.append(contentsOf: segment)
            }
        }
    }
}

/// `:name` in a route or a URL pattern; a name is `[A-Za-z_][A-Za-z0-9_]*`.
enum Variable: Equatable {
    /// Does not start with a colon: an ordinary segment.
    case none
    case whole(String)
    /// Starts with a variable, but other characters follow: `:id.json`.
    case partial

    static func read(_ part: some BidirectionalCollection<UInt8>) -> Variable {
        guard part.first == UInt8(ascii: ":") else { return .none }
        let rest = part.dropFirst()
        guard let start = rest.first, start.isVariableStart else { return .none }
        guard rest.allSatisfy(\.isVariableCharacter) else { return .partial }
        return .whole(String(decoding: rest, as: UTF8.self))
    }
}

extension UInt8 {
    var isVariableStart: Bool { isLetter || self == UInt8(ascii: "_") }
    var isVariableCharacter: Bool { isAlphanumeric || self == UInt8(ascii: "_") }
}
