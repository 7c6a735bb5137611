/// Packs clicks of one link on one day into a block after another (`ClickBlock+Contents` reads them).
///
/// What a visitor is known by is made less telling here: the address goes into a hash, times are whole seconds, and of
/// those who ask not to be followed only the hour and the kind of program remain. Bytes: the form's number; the names,
/// each once; the profiles, each a row of places among the names; then for each click the seconds since the one before,
/// its profile, and its visitor plus one, or zero.
///
/// All that is said of a profile is found out once, for all the blocks: most hold few clicks.
struct ClickBlockWriter {
    /// What a profile is in every block.
    private struct Shared {
        /// Its row; profiles whose names are two objects may be one row.
        let row: Int
        let isProfiled: Bool
        let hasVisitor: Bool
        let deviceCode: UInt64
    }

    private let profiles: [Shared]
    /// Each row's names, or -1, a field each.
    private let rows: [[Int]]
    private let names: [[UInt8]]
    private var rowPlaces: Places
    private var namePlaces: Places

    private var salt: SipHash?
    private var previous: Int64 = 0
    private var count = 0
    private var nameList = BinaryWriter()
    private var rowList = BinaryWriter()
    private var clicks = BinaryWriter()

    init(_ profiles: [ClickProfile]) {
        var rows = Ordered<[Int]>()
        var names = Ordered<String>()
        self.profiles = profiles.map { profile in
            let row = ClickField.allCases.map { field in profile[field].map { names.place(of: $0) } ?? -1 }
            return Shared(
                row: rows.place(of: row), isProfiled: profile.isProfiled, hasVisitor: profile.hasVisitor,
                deviceCode: UInt64(profile.deviceCode))
        }
        self.rows = rows.elements
        self.names = names.elements.map { Array($0.utf8) }
        rowPlaces = Places(count: rows.elements.count)
        namePlaces = Places(count: names.elements.count)
    }

    /// - Parameters:
    ///   - day: of all clicks until `finish`.
    ///   - salt: the day's; nil keeps nothing that tells visitors apart.
    mutating func begin(day: Int, salt: SipHash?) {
        self.salt = salt
        previous = Int64(day) * Timestamp.secondsOfDay
        count = 0
        nameList.removeAll()
        rowList.removeAll()
        clicks.removeAll()
        rowPlaces.forget()
        namePlaces.forget()
    }

    mutating func add(second exact: Int64, subscriber: UInt64, profile: Int) {
        let shared = profiles[profile]
        let second = shared.isProfiled ? exact : exact / 3600 * 3600
        clicks.signed(second - previous)
        previous = second
        clicks.number(UInt64(place(ofRow: shared.row)))
        let visitor = shared.hasVisitor ? salt.map { $0.hash(subscriber, shared.deviceCode) & 0xFF_FFFF_FFFF } : nil
        clicks.number(visitor.map { $0 + 1 } ?? 0)
        count += 1
    }

    /// The block's bytes.
    func finish() -> [UInt8] {
        var writer = BinaryWriter()
        writer.reserve(nameList.bytes.count + rowList.bytes.count + clicks.bytes.count + 16)
        writer.byte(ClickBlock.form)
        writer.number(UInt64(namePlaces.taken))
        writer.append(nameList)
        writer.number(UInt64(rowPlaces.taken))
        writer.append(rowList)
        writer.number(UInt64(count))
        writer.append(clicks)
        return writer.bytes
    }

    private mutating func place(ofRow row: Int) -> Int {
        let (place, isNew) = rowPlaces.place(of: row)
        guard isNew else { return place }
        for name in rows[row] {
            guard name >= 0 else {
                rowList.number(0)
                continue
            }
            let (place, isNew) = namePlaces.place(of: name)
            if isNew { nameList.run(names[name]) }
            rowList.number(UInt64(place + 1))
        }
        return place
    }
}

/// Which place in the block each of the things has that are known to the writer.
private struct Places {
    private var places: [(block: Int, place: Int)]
    /// Which block this is: what was said of another one is forgotten by counting on.
    private var block = 0
    private(set) var taken = 0

    init(count: Int) { places = Array(repeating: (-1, 0), count: count) }

    mutating func forget() {
        block += 1
        taken = 0
    }

    mutating func place(of number: Int) -> (place: Int, isNew: Bool) {
        if places[number].block == block { return (places[number].place, false) }
        places[number] = (block, taken)
        taken += 1
        return (taken - 1, true)
    }
}

/// Different elements in the order in which they first came.
private struct Ordered<Element: Hashable> {
    private(set) var elements: [Element] = []
    private var places: [Element: Int] = [:]

    mutating func place(of element: Element) -> Int {
        if let place = places[element] { return place }
        places[element] = elements.count
        elements.append(element)
        return elements.count - 1
    }
}
