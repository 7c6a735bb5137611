internal import WaymarkJSON

/// A value of the document together with the way to it, of which a pointer is made only where one is asked for: a file has
/// far more values than findings.
struct SourceLocation {
    let value: JSONValue
    private let step: Step
    private let parent: Parent?

    private enum Step {
        case root
        case element(Int)
        case member(String)
    }

    private final class Parent {
        let step: Step
        let parent: Parent?

        init(_ location: SourceLocation) {
            step = location.step
            parent = location.parent
        }
    }

    init(root: JSONValue) {
        self.init(root, .root, nil)
    }

    private init(_ value: JSONValue, _ step: Step, _ parent: Parent?) {
        self.value = value
        self.step = step
        self.parent = parent
    }

    /// How many characters of a member's name a pointer repeats.
    private static let nameLimit = 100

    /// RFC 6901, with long names cut.
    var pointer: String {
        var steps = [step]
        var above = parent
        while let location = above {
            steps.append(location.step)
            above = location.parent
        }
        var pointer = ""
        for step in steps.reversed() {
            switch step {
            case .root: break
            case .element(let index): pointer += "/\(index)"
            case .member(let name): pointer += "/" + Self.escaped(name)
            }
        }
        return pointer
    }

    /// Nil where there is no such member.
    subscript(name: String) -> SourceLocation? {
        value[name].map { SourceLocation($0, .member(name), Parent(self)) }
    }

    /// Empty where the value is no array.
    var elements: LazyMapSequence<Range<Int>, SourceLocation> {
        let elements = value.array ?? []
        let parent = Parent(self)
        return elements.indices.lazy.map { SourceLocation(elements[$0], .element($0), parent) }
    }

    /// Each member with its name; empty where the value is no object.
    var members: some RandomAccessCollection<(name: String, nameOffset: Int, location: SourceLocation)> {
        let parent = Parent(self)
        return (value.object?.members ?? []).lazy.map {
            (
                name: $0.name, nameOffset: $0.nameRange.lowerBound,
                location: SourceLocation($0.value, .member($0.name), parent)
            )
        }
    }

    private static func escaped(_ name: String) -> String {
        var escaped = ""
        var count = 0
        for scalar in name.unicodeScalars {
            guard count < nameLimit else { return escaped + "…" }
            count += 1
            switch scalar {
            case "~": escaped += "~0"
            case "/": escaped += "~1"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
