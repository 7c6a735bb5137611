/// `If-Match` (RFC 9110 section 13.1.1), where an entity tag is a version in quotation marks.
enum Precondition: Sendable, Equatable {
    case none
    /// `*`: anything, as long as it exists.
    case exists
    /// One of these versions. Tags that were never given out stand for none, so they match nothing.
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

    /// What a store must find.
    enum Expectation: Sendable, Equatable {
        /// Whatever there is, or this version.
        case version(Int?)
        /// The condition fails already.
        case failed
    }

    /// - Parameter current: the version as it was just read; nil where there is nothing.
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
