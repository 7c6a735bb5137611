package import WaymarkLinks

/// A click as it is stored: to the second, in classes, without anything that leads back to one person.
package struct ClickRecord: Sendable, Equatable {
    package var time: Timestamp
    /// Tells the visitors of a day apart, and nothing else: 40 bits of a keyed hash whose key is dropped after the day.
    /// Nil where none is made.
    package var visitor: UInt64?
    /// What the clicks of a block share.
    package var profile: Profile

    /// By the fields' places; nil where there is no such value.
    package struct Profile: Sendable, Equatable, Hashable {
        package var values: [String?]

        package init(_ values: [ClickField: String] = [:]) {
            self.values = ClickField.allCases.map { values[$0] }
        }

        package subscript(field: ClickField) -> String? {
            get { values[Int(field.rawValue)] }
            set { values[Int(field.rawValue)] = newValue }
        }
    }

    package init(time: Timestamp, visitor: UInt64? = nil, profile: Profile) {
        self.time = time
        self.visitor = visitor
        self.profile = profile
    }

    /// Whether a person clicked, and not a program.
    package var isPersons: Bool { profile[.bot] == nil }
}
