package import WaymarkJSON

/// One member of a JSON object and the property that it becomes: a row of a table that reads, writes, bounds and compares.
package struct Member<Root: Sendable>: Sendable {
    package let name: String
    package let traits: MemberTraits
    /// Whether two values differ in this member.
    package let differs: @Sendable (Root, Root) -> Bool
    /// Whether its value is a text, a number or a flag.
    package var isScalar: Bool { if case .scalar = shape { true } else { false } }
    /// Whether an object without it is refused.
    package let isRequired: Bool
    /// Of a text, a number or a flag, unless it may be of several types.
    package let scalar: ScalarType?
    package let shape: JSONShape
    fileprivate let read: @Sendable (inout ObjectReader, inout Root) -> Void
    /// `inout` for the root's address: it would be copied for each member.
    fileprivate let write: @Sendable (inout Root, inout JSONWriter) -> Void

    private init<Property: Equatable & Sendable>(
        _ name: StaticString, _ scalar: ScalarType?, _ shape: JSONShape, _ traits: MemberTraits,
        _ path: any WritableKeyPath<Root, Property> & Sendable, isRequired: Bool = false,
        get: (@Sendable (inout Root) -> Property)? = nil,
        read: @escaping @Sendable (inout ObjectReader, String) -> Property?,
        write: @escaping @Sendable (Property, inout JSONWriter) -> Void
    ) {
        let text = String(describing: name)
        self.name = text
        self.scalar = scalar
        self.shape = shape
        self.traits = traits
        self.isRequired = isRequired
        self.read = { reader, root in if let value = read(&reader, text) { root[keyPath: path] = value } }
        let get = get ?? Self.getter(of: path)
        self.write = { root, writer in write(get(&root), &writer) }
        differs = { $0[keyPath: path] != $1[keyPath: path] }
    }

    /// Loads a stored property from its place: a key path looks up the types of its parts each time, which took a seventh of a
    /// creation.
    private static func getter<Property: Sendable>(
        of path: any WritableKeyPath<Root, Property> & Sendable
    ) -> @Sendable (inout Root) -> Property {
        guard let offset = MemoryLayout<Root>.offset(of: path) else { return { $0[keyPath: path] } }
        return { root in
            // Safe because an offset is only known of a property that is stored in the value itself, as its own type.
            unsafe withUnsafePointer(to: &root) {
                unsafe UnsafeRawPointer($0).load(fromByteOffset: offset, as: Property.self)
            }
        }
    }

    /// A member that may be missing. Where it is, it is not written, or written as null (`isNullable`).
    ///
    /// - Parameter get: gets a property that is computed, for which a key path looks up the types of its parts each time.
    package init<Value: Equatable & Sendable>(
        _ name: StaticString, _ type: MemberType<Value>, _ path: any WritableKeyPath<Root, Value?> & Sendable,
        _ traits: MemberTraits = [], get: (@Sendable (inout Root) -> Value?)? = nil
    ) {
        self.init(name, type.scalar, type.shape, traits, path, get: get, read: { type.read(&$0, $1).map { $0 } }) {
            value, writer in
            if let value {
                type.write(&writer, name, value)
            } else if traits.contains(.isNullable) {
                writer.memberNull(name)
            }
        }
    }

    /// A list or a map. Where it is empty, it is not written, unless it is `isNullable`.
    package init<Value: Collection & Equatable & Sendable>(
        _ name: StaticString, _ type: MemberType<Value>, elements path: any WritableKeyPath<Root, Value> & Sendable,
        _ traits: MemberTraits = []
    ) {
        self.init(name, type.scalar, type.shape, traits, path, read: type.read) { value, writer in
            if !value.isEmpty || traits.contains(.isNullable) { type.write(&writer, name, value) }
        }
    }

    /// A member that is always written. Where it is missing, reading leaves the property as it is.
    package init<Value: Equatable & Sendable>(
        _ name: StaticString, _ type: MemberType<Value>, always path: any WritableKeyPath<Root, Value> & Sendable,
        _ traits: MemberTraits = []
    ) {
        self.init(name, type.scalar, type.shape, traits, path, read: type.read) { type.write(&$1, name, $0) }
    }

    /// A member that is always written. Where it is missing, that is reported.
    package init<Value: Equatable & Sendable>(
        _ name: StaticString, _ type: MemberType<Value>, required path: any WritableKeyPath<Root, Value> & Sendable
    ) {
        self.init(name, type.scalar, type.shape, [], path, isRequired: true, read: type.read) {
            type.write(&$1, name, $0)
        }
    }

    /// A member of the document that others read: only what it has too many of is reported here.
    package init(readElsewhere name: StaticString, _ shape: JSONShape) {
        let text = String(describing: name)
        self.name = text
        self.shape = shape
        scalar = nil
        traits = []
        isRequired = false
        read = { reader, _ in reader.noteCounts(in: text) }
        write = { _, _ in }
        differs = { _, _ in false }
    }

    /// A flag that is written where it is true.
    package init(_ name: StaticString, flag path: any WritableKeyPath<Root, Bool> & Sendable) {
        self.init(name, .flag, .scalar, [], path, read: MemberType.flag.read) { if $0 { $1.member(name, true) } }
    }
}

/// What a member means for those that go through its table.
package struct MemberTraits: OptionSet, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Written as null, or as an empty list or map, where there is nothing.
    package static let isNullable = MemberTraits(rawValue: 1)
    /// Given once, when the value is created: a patch can't change it.
    package static let isFixed = MemberTraits(rawValue: 2)
    /// Decides where a link leads.
    package static let isDestination = MemberTraits(rawValue: 4)
    /// A patch can't remove it.
    package static let isKept = MemberTraits(rawValue: 8)
}

/// The members of an object, in the order in which they are written.
package struct MemberTable<Root: Sendable>: Sendable {
    package let members: [Member<Root>]
    package let shape: JSONShape
    // Apart, because a loop over the members would copy each with all that it refers to.
    private let reads: [@Sendable (inout ObjectReader, inout Root) -> Void]
    private let writes: [@Sendable (inout Root, inout JSONWriter) -> Void]
    /// Which of `reads`, as bits, are for the member of a name, and which are for any object.
    private let readsOfName: [ExactText: UInt64]
    private let readsOfAny: UInt64

    /// - Parameter missingFirst: whether the members that are missing are reported before all other problems.
    package init(missingFirst: Bool = false, @MemberTableBuilder<Root> _ members: () -> [Member<Root>]) {
        self.members = members()
        var reads: [@Sendable (inout ObjectReader, inout Root) -> Void] = []
        var (ofName, ofAny) = ([ExactText: UInt64](), UInt64(0))
        func addMissing(_ member: Member<Root>) {
            ofAny |= 1 << UInt64(reads.count)
            reads.append(Self.noteMissing(member))
        }
        if missingFirst { for member in self.members where member.isRequired { addMissing(member) } }
        for member in self.members {
            if member.isRequired, !missingFirst { addMissing(member) }
            ofName[ExactText(member.name)] = 1 << UInt64(reads.count)
            reads.append(member.read)
        }
        precondition(reads.count <= UInt64.bitWidth, "a table reads more than a number has bits")
        (self.reads, readsOfName, readsOfAny) = (reads, ofName, ofAny)
        writes = self.members.map(\.write)
        shape = .object(Dictionary(uniqueKeysWithValues: self.members.map { ($0.name, $0.shape) }))
    }

    private static func noteMissing(_ member: Member<Root>) -> @Sendable (inout ObjectReader, inout Root) -> Void {
        let name = member.name
        return { reader, _ in if reader.value(name) == nil { reader.reject(name, "is missing") } }
    }

    package var names: [String] { members.map(\.name) }

    /// Reads the members that there are: most bodies have few, and to look for each of the others costs more than they do.
    package func read(_ reader: inout ObjectReader, into root: inout Root) {
        var rest = readsOfAny
        reader.forEachName { rest |= readsOfName[ExactText($0)] ?? 0 }
        while rest != 0 {
            reads[rest.trailingZeroBitCount](&reader, &root)
            rest &= rest - 1
        }
    }

    package func write(_ root: Root, to writer: inout JSONWriter) {
        var root = root
        writer.beginObject()
        for write in writes { write(&root, &writer) }
        writer.endObject()
    }
}

/// Each row is an expression of its own: the compiler takes a minute for an array of them.
@resultBuilder
package enum MemberTableBuilder<Root: Sendable> {
    package static func buildExpression(_ member: Member<Root>) -> [Member<Root>] { [member] }
    package static func buildBlock(_ members: [Member<Root>]...) -> [Member<Root>] { members.flatMap(\.self) }
    package static func buildArray(_ members: [[Member<Root>]]) -> [Member<Root>] { members.flatMap(\.self) }
}
