/// The preconditions of a request (RFC 9110 section 13), copied from its head so that they can be evaluated once the
/// current version is known.
package struct Preconditions: Sendable {
    package enum Outcome: Sendable, Equatable {
        /// Carry out the method.
        case proceed
        /// 304: the client has this version.
        case notModified
        /// 412.
        case failed
    }

    private enum Condition: Sendable {
        case none
        case tags([UInt8])
        case date(HTTPDate)
        /// Present, but matches no version.
        case never
    }

    private var match = Condition.none
    private var noneMatch = Condition.none
    private var unmodifiedSince = Condition.none
    private var modifiedSince = Condition.none
    private var range = Condition.none
    private let now: Int64

    /// - Parameter now: the current time, in Unix seconds.
    package init(_ head: RequestHead, in bytes: Span<UInt8>, now: Int64) {
        self.now = now
        guard head.holdsAny(of: Self.fields) else { return }
        match = Self.tags(.ifMatch, head, bytes)
        noneMatch = Self.tags(.ifNoneMatch, head, bytes)
        unmodifiedSince = Self.date(.ifUnmodifiedSince, head, bytes, now: now)
        modifiedSince = Self.date(.ifModifiedSince, head, bytes, now: now)
        range = Self.range(head, bytes, now: now)
    }

    /// Evaluates the preconditions in the order of section 13.2.2, for a GET or HEAD.
    ///
    /// - Parameters:
    ///   - tag: of the representation that would be sent.
    ///   - modified: its last modification; nil if unknown: then conditions on dates are ignored (sections 13.1.3 and
    ///     13.1.4).
    package func outcome(tag: EntityTag, modified: HTTPDate?) -> Outcome {
        if case .tags(let tags) = match {
            guard tag.isListed(in: tags.span, isStrong: true) else { return .failed }
        } else if case .date(let date) = unmodifiedSince, let modified, modified > date {
            return .failed
        }
        if case .tags(let tags) = noneMatch {
            return tag.isListed(in: tags.span, isStrong: false) ? .notModified : .proceed
        }
        if case .date(let date) = modifiedSince, let modified, modified <= date { return .notModified }
        return .proceed
    }

    /// Whether to apply a Range field: there is no If-Range, or it matches exactly this version (section 13.1.5).
    package func allowRange(tag: EntityTag, modified: HTTPDate) -> Bool {
        switch range {
        case .none: true
        case .tags(let tags): tag.isListed(in: tags.span, isStrong: true)
        // A file can change twice within one second: a date of the current second does not identify a version
        // (section 8.8.2.2).
        case .date(let date): date == modified && modified.unixSeconds < now
        case .never: false
        }
    }

    private static let fields =
        RequestField.ifMatch.bit | RequestField.ifNoneMatch.bit | RequestField.ifModifiedSince.bit
        | RequestField.ifUnmodifiedSince.bit | RequestField.ifRange.bit

    /// All lines as one list (section 5.3); an empty list still counts as present.
    private static func tags(_ field: RequestField, _ head: RequestHead, _ bytes: Span<UInt8>) -> Condition {
        guard head.value(field) != nil else { return .none }
        var tags: [UInt8] = []
        for position in 0..<head.fieldCount {
            let line = head.field(at: position)
            guard line.known == field else { continue }
            if !tags.isEmpty { tags.append(UInt8(ascii: ",")) }
            for index in line.value.indices { tags.append(bytes[index]) }
        }
        return .tags(tags)
    }

    /// A field that is not a date, or is repeated, is ignored (sections 13.1.3 and 13.1.4).
    private static func date(
        _ field: RequestField, _ head: RequestHead, _ bytes: Span<UInt8>, now: Int64
    ) -> Condition {
        guard let value = head.value(field), !head.isRepeated(field),
            let date = HTTPDate(bytes, value, reference: now)
        else { return .none }
        return .date(date)
    }

    /// One tag or one date; anything else matches no version.
    private static func range(_ head: RequestHead, _ bytes: Span<UInt8>, now: Int64) -> Condition {
        guard let value = head.value(.ifRange) else { return .none }
        guard !head.isRepeated(.ifRange), !value.isEmpty else { return .never }
        if bytes[Int(value.end) - 1] == UInt8(ascii: "\"") {
            let isOne = value.indices.dropFirst().dropLast().allSatisfy { bytes[$0] != UInt8(ascii: "\"") }
            return isOne ? tags(.ifRange, head, bytes) : .never
        }
        return HTTPDate(bytes, value, reference: now).map { .date($0) } ?? .never
    }
}
