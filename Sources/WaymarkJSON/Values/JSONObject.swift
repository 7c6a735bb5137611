/// The members of a JSON object, in their order, no name twice.
package struct JSONObject: Sendable {
    /// One name and its value.
    package struct Member: Sendable {
        package let name: String
        package let value: JSONValue
        /// The bytes of the name in the text it was read from, quotation marks included; empty where built in code.
        package let nameRange: Range<Int>

        init(name: String, value: JSONValue, nameRange: Range<Int> = 0..<0) {
            self.name = name
            self.value = value
            self.nameRange = nameRange
        }
    }

    /// In the order of the text.
    package private(set) var members: [Member] = []

    /// Where each name stands, for objects of more than `linearLimit` members. Without it a body of many
    /// members would cost the square of its length, and bodies come from strangers.
    private var positions: [ExactText: Int]?

    private static let linearLimit = 16

    package init() {}

    package var count: Int { members.count }
    package var isEmpty: Bool { members.isEmpty }

    /// Reading is constant in time. Setting keeps the place of a name that is there, appends a new one, and with nil
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

    /// Appends the member; false, and nothing changed, where the name is there already.
    mutating func append(_ member: Member) -> Bool {
        guard position(of: member.name) == nil else { return false }
        insert(member)
        return true
    }

    /// Puts the member in the place of the one of its name.
    mutating func replace(_ member: Member) {
        if let position = position(of: member.name) { members[position] = member }
    }

    /// Where the member of that name stands in `members`.
    package func position(of name: String) -> Int? {
        let sought = ExactText(name)
        if let positions { return positions[sought] }
        return members.firstIndex { ExactText($0.name) == sought }
    }

    /// The caller has checked that the name is new.
    private mutating func insert(_ member: Member) {
        // Most objects hold a few members: one allocation instead of three.
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
    /// Whether both hold the same members; their order does not matter (RFC 8259, section 1).
    package static func == (left: JSONObject, right: JSONObject) -> Bool {
        left.count == right.count && left.members.allSatisfy { right[$0.name] == $0.value }
    }
}
