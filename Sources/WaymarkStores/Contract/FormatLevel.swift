/// What a program can read in a database that its schema allows: a number that grows when something new is stored in
/// contents, documents or keys.
///
/// Servers of several levels share a database during a rolling upgrade. A store refuses to write what a connected server
/// of a lower level can't read (`StoreError.upgradePending`). Whoever stores something new raises `current`, adds its
/// version, and names the new part in the table of its format: `LinkContentCodec.needs`, `KeyScope.need`,
/// `ApplicationDocument.needs`.
package struct FormatLevel: RawRepresentable, Comparable, Hashable, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Of 0.1 and 0.2, which don't register their level.
    package static let v0_1 = FormatLevel(rawValue: 1)
    package static let v0_2 = FormatLevel(rawValue: 2)
    package static let v0_3 = FormatLevel(rawValue: 3)
    /// Of this program, which reads shares of totals. Programs of level 3 read totals without them.
    package static let current = FormatLevel(rawValue: 4)

    private static let versions = ["0.1", "0.2", "0.3", "0.3"]

    /// The first version with this level.
    package var version: String {
        Self.versions.indices.contains(rawValue - 1) ? Self.versions[rawValue - 1] : "another version"
    }

    package static func < (a: FormatLevel, b: FormatLevel) -> Bool { a.rawValue < b.rawValue }
}

/// A part of a stored value that programs below a level can't read.
package struct FormatNeed: Sendable, Hashable {
    package var level: FormatLevel
    /// Of the part, as clients know it.
    package var name: String

    package init(_ level: FormatLevel, _ name: String) {
        self.level = level
        self.name = name
    }
}

extension Sequence<FormatNeed> {
    /// The need that the fewest programs meet.
    package var highest: FormatNeed? { self.max { $0.level < $1.level } }
}

/// Why a change has to wait for the end of a rolling upgrade.
package struct UpgradePending: Sendable, Hashable {
    /// What the servers can't read.
    package var name: String
    /// The lowest version that is connected.
    package var version: String
    /// Their addresses, for operators.
    package var hosts: [String]

    package init(name: String, version: String, hosts: [String]) {
        self.name = name
        self.version = version
        self.hosts = hosts
    }

    /// Without the addresses, which are not for every client.
    package var sentence: String {
        """
        servers of version \(version) are connected to the database and can't read \(name); upgrade or stop them, and \
        send this again some seconds later
        """
    }
}
