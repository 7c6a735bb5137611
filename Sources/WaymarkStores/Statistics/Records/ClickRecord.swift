package import WaymarkLinks

/// A click as stored: to the second, classified, and without data that identifies a person.
package struct ClickRecord: Sendable, Equatable {
    package var time: Timestamp
    /// Distinguishes the visitors of a day: 40 bits of a keyed hash whose key is deleted after the day. Nil if
    /// visitors are not identified.
    package var visitor: UInt64?
    /// Properties shared by clicks of a block.
    package var profile: Profile

    /// By field index; nil for a missing value.
    package struct Profile: Sendable, Equatable, Hashable {
        package var values: [String?]

        package init(_ values: [ClickField: String] = [:]) {
            self.values = ClickField.allCases.map { values[$0] }
        }

        /// - Parameter values: By the fields' places.
        init(values: [String?]) { self.values = values }

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

    /// Whether a person clicked rather than a program.
    package var isPersons: Bool { profile[.bot] == nil }
}
