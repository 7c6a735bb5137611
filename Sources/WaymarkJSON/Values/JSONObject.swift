import WaymarkBytes

/// The members of a JSON object, in their order, no name twice.
package struct JSONObject: Sendable {
    /// One name and its value.
    package struct Member: Sendable {
        package let name: String
        package let value: JSONValue
        /// The range of the name in its text, including quotation marks; empty if built in code.
        package let nameRange: Range<Int>

        init(name: String, value: JSONValue, nameRange: Range<Int> = 0..<0) {
            self.name = name
            self.value = value
            self.nameRange = nameRange
        }
    }

    /// In the order of the text.
    package private(set) var members: [Member] = []

    /// The index of each name, for objects of more than `linearLimit` members. Without it, an untrusted body with
    /// many members would take quadratic time.
    private var positions: [ExactText: Int]?

    private static let linearLimit = 16

    package init() {}

    package var count: Int { members.count }
    package var isEmpty: Bool { members.isEmpty }

    /// Reading takes constant time. Setting replaces the value of an existing name, appends a new one, and with nil
    /// removes the member (linear in the number of members).
    package subscript(name: String) -> JSONValue? {
        get {
            position(of: name).map { members[$0].value }
        }
        set {
            switch (position(of: name), newValue) {
            case (let position?, let value?):
                members[position] = Member(name: name, value: value)
            case (nil, let value?):
                insert(Member(name: name, value: value))
            case (let position?, nil):
                members.remove(at: position)
                reindex()
            case (nil, nil):
                break
            }
        }
    }

    /// Appends the member; false, with nothing changed, if the name already exists.
    mutating func append(_ member: Member) -> Bool {
        guard position(of: member.name) == nil else { return false }
        insert(member)
        return true
    }

    /// Replaces the member with the same name.
    mutating func replace(_ member: Member) {
        if let position = position(of: member.name) { members[position] = member }
    }

    /// The index in `members` of the member with this name.
    package func position(of name: String) -> Int? {
        let sought = ExactText(name)
        if let positions { return positions[sought] }
        return members.firstIndex { ExactText($0.name) == sought }
    }

    /// - Precondition: the name does not exist yet.
    private mutating func insert(_ member: Member) {
        // Most objects have few members: one allocation instead of three.
        if members.isEmpty { members.reserveCapacity(4) }
        members.append(member)
        if positions != nil {
            positions?[ExactText(member.name)] = members.count - 1
        } else if members.count > Self.linearLimit {
            reindex()
        }
    }

    private mutating func reindex() {
        guard members.count > Self.linearLimit else {
            positions = nil
            return
        }
        var positions: [ExactText: Int] = [:]
        positions.reserveCapacity(members.count * 2)
        for (position, member) in members.enumerated() { positions[ExactText(member.name)] = position }
        self.positions = positions
    }
}

extension JSONObject: Equatable {
    /// Whether both have the same members; their order does not matter (RFC 8259, section 1).
    package static func == (left: JSONObject, right: JSONObject) -> Bool {
        left.count == right.count && left.members.allSatisfy { right[$0.name] == $0.value }
    }
}
