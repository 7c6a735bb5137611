import WaymarkBytes

/// Where the parameters of a click go in the URL of a web page to which a link redirects, and which of them.
///
/// `Link.resolve` decides about a visit with one parameter that no link has; the place is where that one went. Of a query
/// that is forwarded without a change, `append` adds what `ClickQuery` and `URLAdditions` would add.
package struct QueryPlace: Sendable {
    /// In bytes of the URL.
    package let offset: Int
    private let separator: UInt8
    /// The names that the URL has already, and those that the link does not forward: each with an ampersand behind it.
    private let taken: [UInt8]

    private static let probe = "waymark-query-place=0"
    /// In bytes, of `taken`: each parameter of a visit is compared with all of it. A link with more is decided.
    private static let takenLimit = 256

    /// What queries change in a redirect.
    package enum Effect: Sendable {
        /// The link forwards none.
        case nothing
        case insertion(QueryPlace)
        /// Each must be decided.
        case unforeseen
    }

    /// The redirect of a visitor without a query, and what a query changes; nil if that visitor gets no redirect to a web
    /// page.
    package static func find(
        _ link: Link, _ application: Application, _ visitor: Visitor, at now: Timestamp
    ) -> (bare: Resolution, effect: Effect)? {
        var bare = visitor
        bare.query = nil
        var probed = visitor
        probed.query = probe
        let answers = [bare, probed].map {
            link.resolve(application: application, visitor: $0, now: now, clickID: nil)
        }
        guard case .redirect(let first) = answers[0], first.kind == .web else { return nil }
        guard case .redirect(let second) = answers[1], second.kind == .web, first.source == second.source else {
            return (answers[0], .unforeseen)
        }
        if !link.forwardsQuery(application) {
            return (answers[0], first.url == second.url ? .nothing : .unforeseen)
        }
        let place = QueryPlace(
            of: first.url, probed: second.url, leftOut: link.content.conventions?.notForwarded ?? [])
        return (answers[0], place.map { .insertion($0) } ?? .unforeseen)
    }

    private init?(of url: String, probed: String, leftOut: Set<String>) {
        let (bare, bytes, probe) = (Array(url.utf8), Array(probed.utf8), Self.probe.utf8)
        guard let range = bytes.firstRange(of: probe), range.lowerBound > 0,
            bytes[range.upperBound...].firstRange(of: probe) == nil
        else { return nil }
        let offset = range.lowerBound - 1
        guard bytes[..<offset] + bytes[range.upperBound...] == bare[...] else { return nil }
        let query = bytes[..<offset].firstIndex(of: UInt8(ascii: "?")).map { bytes[($0 + 1)..<offset] } ?? []
        let names = query.split(separator: UInt8(ascii: "&")).map { pair in
            PercentEncoding.decodeTextLeniently(pair.prefix { $0 != UInt8(ascii: "=") }, plusIsSpace: true)
        }
        self.offset = offset
        separator = bytes[offset]
        // Decisions compare names as Unicode does: the sign of the kelvin is a K. Plain names hold no ampersand.
        taken = (names + leftOut).map { UnicodeText.composed($0).utf8 }.filter { !$0.contains(UInt8(ascii: "&")) }
            .flatMap { Array($0) + [UInt8(ascii: "&")] }
        if taken.count > Self.takenLimit { return nil }
    }

    /// Appends what goes into the place: the parameters that are forwarded, each with its separator.
    ///
    /// - Parameter query: one that is a `PlainQuery`.
    package func append(_ query: Span<UInt8>, to text: inout [UInt8]) {
        var (separator, start) = (separator, 0)
        while let (name, pair) = PlainQuery.next(query, from: &start) {
            if isTaken(query, name) { continue }
            text.append(separator)
            for index in pair { text.append(query[index]) }
            separator = UInt8(ascii: "&")
        }
    }

    private func isTaken(_ bytes: Span<UInt8>, _ name: Range<Int>) -> Bool {
        let taken = taken.span
        var start = 0
        while start < taken.count {
            var (index, position) = (start, name.lowerBound)
            while taken[index] != UInt8(ascii: "&"), position < name.upperBound, taken[index] == bytes[position] {
                index += 1
                position += 1
            }
            if taken[index] == UInt8(ascii: "&"), position == name.upperBound { return true }
            while taken[index] != UInt8(ascii: "&") { index += 1 }
            start = index + 1
        }
        return false
    }
}

/// A query whose parameters are forwarded as they are: names without escapes, values that need none or have sound ones, as
/// many as a click may have. It holds no parts: reading the bytes again for each use costs less than a list.
package struct PlainQuery {
    /// The value of the first `utm_campaign`.
    package private(set) var campaign: Range<Int>?
    /// Whether one of the parameters is `d=1`.
    package private(set) var asksForDetails = false

    /// Nil for a query that `ClickQuery` has to read.
    package init?(_ bytes: Span<UInt8>) {
        guard bytes.count <= ClickQuery.maximumBytes else { return nil }
        var (count, start) = (0, 0)
        while start < bytes.count {
            guard let (name, end) = Self.pair(bytes, from: start) else { return nil }
            if end > start {
                count += 1
                if campaign == nil, Self.equals(bytes, name, "utm_campaign") {
                    campaign = min(name.upperBound + 1, end)..<end
                }
                if Self.equals(bytes, start..<end, "d=1") { asksForDetails = true }
            }
            start = end + 1
        }
        guard count <= ClickQuery.maximumPairs else { return nil }
    }

    /// The next parameter: the range of its name and that of the whole; nil at the end.
    fileprivate static func next(
        _ bytes: Span<UInt8>, from start: inout Int
    ) -> (name: Range<Int>, pair: Range<Int>)? {
        while start < bytes.count, let (name, end) = pair(bytes, from: start) {
            let first = start
            start = end + 1
            if end > first { return (name, first..<end) }
        }
        return nil
    }

    /// The name of the pair that begins there, and where the pair ends; nil if it is not plain.
    private static func pair(_ bytes: Span<UInt8>, from start: Int) -> (name: Range<Int>, end: Int)? {
        var index = start
        var equals: Int?
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "&"): return named(bytes, start, equals, index)
            case UInt8(ascii: "="): equals = equals ?? index
            case UInt8(ascii: "%"):
                guard equals != nil, index + 2 < bytes.count, let high = bytes[index + 1].hexadecimalValue,
                    let low = bytes[index + 2].hexadecimalValue, !(high << 4 | low).isControl
                else { return nil }
                index += 2
            case UInt8(ascii: "+"): if equals == nil { return nil }
            default: if !isPlain(byte) { return nil }
            }
            index += 1
        }
        return named(bytes, start, equals, index)
    }

    /// Names of the service's own are not plain, and neither are empty ones.
    private static func named(
        _ bytes: Span<UInt8>, _ start: Int, _ equals: Int?, _ end: Int
    ) -> (name: Range<Int>, end: Int)? {
        let name = start..<(equals ?? end)
        if name.isEmpty { return end == start ? (name, end) : nil }
        let isReserved = name.count >= 4 && equalsIgnoringCase(bytes, start..<(start + 4), "_hk_")
        return isReserved ? nil : (name, end)
    }

    /// What `ClickQuery` forwards without an escape.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"), UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "("), UInt8(ascii: ")"),
            UInt8(ascii: "*"), UInt8(ascii: ","), UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "?"),
            UInt8(ascii: "@"):
            true
        default: false
        }
    }

    private static func equals(_ bytes: Span<UInt8>, _ range: Range<Int>, _ text: StaticString) -> Bool {
        compare(bytes, range, text) { $0 == $1 }
    }

    private static func equalsIgnoringCase(_ bytes: Span<UInt8>, _ range: Range<Int>, _ text: StaticString) -> Bool {
        compare(bytes, range, text) { $0.lowercased == $1 }
    }

    @inline(__always)
    private static func compare(
        _ bytes: Span<UInt8>, _ range: Range<Int>, _ text: StaticString, _ areEqual: (UInt8, UInt8) -> Bool
    ) -> Bool {
        guard range.count == text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { text in
            // Safety: both have the same number of bytes.
            for index in 0..<text.count where unsafe !areEqual(bytes[range.lowerBound + index], text[index]) {
                return false
            }
            return true
        }
    }
}
