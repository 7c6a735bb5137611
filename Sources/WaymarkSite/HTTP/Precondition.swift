/// `If-Match` (RFC 9110 section 13.1.1), where an entity tag is a version in quotation marks.
enum Precondition: Sendable, Equatable {
    case none
    /// `*`: any version, as long as the resource exists.
    case exists
    /// One of these versions. Tags that this server never issues are left out, so they match nothing.
    case versions(Set<Int>)

    init(_ value: String?) {
        guard let value else {
            self = .none
            return
        }
        guard value != "*" else {
            self = .exists
            return
        }
        self = .versions(
            Set(
                value.split(separator: ",").compactMap { tag in
                    let tag = tag.drop { $0 == " " || $0 == "\t" }
                    guard tag.first == "\"" else { return nil }
                    let digits = tag.dropFirst().prefix { $0 != "\"" }
                    guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), digits.first != "0" else { return nil }
                    return Int(digits)
                }))
    }

    /// The version that a store must find.
    enum Expectation: Sendable, Equatable {
        /// This version, or nil for any state.
        case version(Int?)
        /// The condition has already failed.
        case failed
    }

    /// - Parameter current: the version as just read; nil if the resource does not exist.
    func expectation(current: Int?) -> Expectation {
        switch self {
        case .none: return .version(nil)
        case .exists: return current == nil ? .failed : .version(nil)
        case .versions(let versions):
            guard let current, versions.contains(current) else { return .failed }
            return .version(current)
        }
    }
}
