import WaymarkAPI
import WaymarkJSON

/// A field that the API names in a problem, `rules[0].when.platform`, found again in the text.
struct CodeField {
    private enum Step {
        case name(String)
        case index(Int)
    }

    private let field: String
    private let steps: [Step]

    init(_ field: String) {
        self.field = field
        steps = field.split(separator: ".").flatMap { part -> [Step] in
            let pieces = part.split(separator: "[")
            let indexes = pieces.dropFirst().compactMap { Int($0.dropLast()) }
            return [.name(String(pieces.first ?? ""))] + indexes.map { .index($0) }
        }
    }

    /// The offset of the innermost part of the value that is there.
    func offset(in value: JSONValue) -> Int {
        var value = value
        var offset = value.range.lowerBound
        for step in steps {
            switch step {
            case .name(let name):
                guard let object = value.object, let index = object.position(of: name) else { return offset }
                offset = object.members[index].nameRange.lowerBound
                value = object.members[index].value
            case .index(let index):
                guard let array = value.array, array.indices.contains(index) else { return offset }
                value = array[index]
                offset = value.range.lowerBound
            }
        }
        return offset
    }

    /// The problem in one sentence; of an unknown field with what it may mean.
    func sentence(_ problem: String, _ shape: JSONShape) -> String {
        let question = problem == "is not a known field" ? CodeFile.question(last, names(in: shape)) : ""
        return field.isEmpty || field == "body" ? problem : "\(field) \(problem)\(question)"
    }

    private var last: String { if case .name(let name)? = steps.last { name } else { "" } }

    /// The names beside the field.
    private func names(in shape: JSONShape) -> [String] {
        var shape = shape
        for step in steps.dropLast() {
            switch (step, shape) {
            case (.name(let name), .object(let members)):
                guard let member = members[name] else { return [] }
                shape = member
            case (.name, .map(let member, _)), (.index, .array(let member, _)): shape = member
            default: return []
            }
        }
        if case .object(let members) = shape { return members.keys.sorted() }
        return []
    }
}
