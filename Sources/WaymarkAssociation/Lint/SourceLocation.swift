internal import WaymarkJSON

/// A value of the document with its path. The pointer is only built on demand, because a file has far more values
/// than findings.
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

    /// Maximum number of characters of a member's name in a pointer.
    private static let nameLimit = 100

    /// The JSON pointer (RFC 6901), with long names truncated.
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

    /// Nil if there is no such member.
    subscript(name: String) -> SourceLocation? {
        value[name].map { SourceLocation($0, .member(name), Parent(self)) }
    }

    /// Empty if the value is not an array.
    var elements: LazyMapSequence<Range<Int>, SourceLocation> {
        let elements = value.array ?? []
        let parent = Parent(self)
        return elements.indices.lazy.map { SourceLocation(elements[$0], .element($0), parent) }
    }

    /// Each member with its name; empty if the value is not an object.
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

/// Converts offsets in a file to lines and columns, in bounded time even for long lines.
struct SourcePositions {
    private let source: [UInt8]
    /// The offset of each line.
    private let lines: [Int]
    /// The number of scalars before each block of bytes.
    private let scalars: [Int]

    private static let block = 256

    init(_ source: [UInt8]) {
        self.source = source
        var lines = [0]
        var scalars: [Int] = []
        scalars.reserveCapacity(source.count / Self.block + 1)
        var count = 0
        for (location, byte) in source.enumerated() {
            if location % Self.block == 0 { scalars.append(count) }
            if byte & 0xC0 != 0x80 { count += 1 }
            let isReturn =
                byte == UInt8(ascii: "\r")
                && !(location + 1 < source.count && source[location + 1] == UInt8(ascii: "\n"))
            if byte == UInt8(ascii: "\n") || isReturn { lines.append(location + 1) }
        }
        self.lines = lines
        self.scalars = scalars
    }

    /// Both from 1; columns in Unicode scalars.
    func position(_ offset: Int) -> (line: Int, column: Int) {
        var (low, high) = (0, lines.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if lines[middle] <= offset { low = middle } else { high = middle }
        }
        let start = lines[low]
        let column = scalars(before: min(max(offset, start), source.count)) - scalars(before: start)
        return (low + 1, column + 1)
    }

    private func scalars(before location: Int) -> Int {
        guard !scalars.isEmpty else { return 0 }
        let block = min(location / Self.block, scalars.count - 1)
        return scalars[block] + source[block * Self.block..<location].count { $0 & 0xC0 != 0x80 }
    }
}
