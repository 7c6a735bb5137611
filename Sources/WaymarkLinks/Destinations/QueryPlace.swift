import WaymarkBytes

/// A place in a response where the parameters of a click go, and how they are written there.
///
/// `Link.resolve` decides about a visitor whose query is open (`OpenedSuffix.takesAnyQuery`), and writes marks in its place.
/// A mark holds each character that an encoding may change, so that the response itself shows how that place is encoded:
/// percent-encoded in a store's referrer in an `intent:` URL, escaped in a page. Of a `PlainQuery`, `append` then writes what
/// the decision would.
///
/// Isolation: confined to the thread of an event loop, as `QueryEncodings` is.
package final class QueryPlace {
    private enum Form: Equatable {
        /// Parameters, each behind an ampersand, the first one perhaps behind a question mark.
        case leading(first: UInt8)
        /// Parameters, each before an ampersand.
        case trailing
        /// What follows a click ID: all parameters in base64url.
        case carried
    }

    private let form: Form
    /// The names that are not written: those that the URL has already, and those that the link does not forward. Each with
    /// an ampersand behind it.
    private let taken: [UInt8]
    private let encoding: QueryEncoding

    private init(_ form: Form, taken: [UInt8], _ encoding: QueryEncoding) {
        self.form = form
        self.taken = taken
        self.encoding = encoding
    }

    /// In bytes, of `taken`: each parameter of a visit is compared with all of it. A link with more is decided.
    private static let takenLimit = 256

    // MARK: Marks

    private static let start = Array("waymark~query~place~".utf8)
    /// Ends each part of a mark. No encoding changes it.
    private static let end = UInt8(ascii: "~")
    private static let escape = UInt8(ascii: "%")
    private static let escaped = "41"

    /// - Parameter isFirst: whether no other parameter comes before.
    static func mark(isFirst: Bool, leavingOut names: Set<String>) -> String { mark(isFirst ? "f" : "n", names) }

    static func mark(carriedBehind path: String, leavingOut names: Set<String>) -> String {
        // Base64 of two texts is not that of the whole.
        mark(path.isEmpty ? "c" : "u", names)
    }

    private static func mark(_ form: Character, _ names: Set<String>) -> String {
        // Decisions compare names as Unicode does: the kelvin sign is a K. Plain names hold no ampersand.
        let taken = names.sorted().map { UnicodeText.composed($0).utf8 }.filter { !$0.contains(UInt8(ascii: "&")) }
            .flatMap { Array($0) + [UInt8(ascii: "&")] }
        // A percent sign comes with an escape, because encodings may keep escapes.
        let characters = PlainQuery.reserved.map { String(UnicodeScalar($0)) + ($0 == escape ? escaped : "") + "~" }
        return String(decoding: start, as: UTF8.self) + "\(form)~" + characters.joined() + Hexadecimal.text(taken) + "~"
    }

    // MARK: Places

    /// The places that a response has marks for, in order, with their offsets in the response to a visitor without a query;
    /// nil if a query may change anything else.
    ///
    /// - Parameters:
    ///   - open: the response to the visitor whose query is open.
    ///   - bare: that without a query.
    package static func places(
        in open: [UInt8], bare: [UInt8], _ encodings: QueryEncodings
    ) -> [(offset: Int, place: QueryPlace)]? {
        var (places, rest): ([(offset: Int, place: QueryPlace)], [UInt8]) = ([], [])
        var found: [[[UInt8]]: QueryEncoding] = [:]
        var position = 0
        while let mark = nextMark(open.span, from: position) {
            rest += open[position..<mark]
            position = mark + start.count
            func part() -> ArraySlice<UInt8>? {
                guard let end = open[position...].firstIndex(of: Self.end) else { return nil }
                defer { position = end + 1 }
                return open[position..<end]
            }
            guard let form = part() else { return nil }
            var texts: [[UInt8]] = []
            for character in PlainQuery.reserved {
                guard var text = part() else { return nil }
                if character == escape {
                    guard text.hasSuffix(escaped.utf8) else { return nil }
                    text.removeLast(escaped.utf8.count)
                }
                texts.append(Array(text))
            }
            guard let digits = part(), let taken = Hexadecimal.bytes(String(decoding: digits, as: UTF8.self)),
                taken.count <= takenLimit, let encoding = encodings[texts] ?? found[texts] ?? QueryEncoding(texts)
            else { return nil }
            let (ampersand, mark) = (encoding.text(of: UInt8(ascii: "&")), encoding.text(of: UInt8(ascii: "?")))
            var place: Form
            switch form.first.map({ Character(UnicodeScalar($0)) }) {
            case "c": place = .carried
            case "f":
                guard rest.hasSuffix(mark) else { return nil }
                if open[position...].starts(with: ampersand) {
                    position += ampersand.count
                    place = .trailing
                } else {
                    rest.removeLast(mark.count)
                    place = .leading(first: UInt8(ascii: "?"))
                }
            case "n":
                guard rest.hasSuffix(ampersand) else { return nil }
                rest.removeLast(ampersand.count)
                place = .leading(first: UInt8(ascii: "&"))
            default: return nil
            }
            found[texts] = encoding
            places.append((rest.count, QueryPlace(place, taken: taken, encoding)))
        }
        rest += open[position...]
        // Marks in a link's own text are no places.
        guard rest == bare else { return nil }
        for (texts, encoding) in found { encodings[texts] = encoding }
        return places
    }

    private static func nextMark(_ bytes: Span<UInt8>, from position: Int) -> Int? {
        var index = position
        while index + start.count <= bytes.count {
            if bytes[index] == start[0], start.indices.allSatisfy({ bytes[index + $0] == start[$0] }) { return index }
            index += 1
        }
        return nil
    }

    // MARK: Visits

    /// Whether the same goes into another place.
    package func isSame(as other: QueryPlace) -> Bool {
        form == other.form && taken == other.taken && (form == .carried || encoding === other.encoding)
    }

    /// Whether the same parameters go into another place.
    package func takesSame(as other: QueryPlace) -> Bool { taken == other.taken }

    /// Appends what goes into the place.
    ///
    /// - Parameters:
    ///   - plain: what was read of the query.
    ///   - query: its bytes.
    package func append(_ plain: PlainQuery, _ query: Span<UInt8>, to text: inout [UInt8]) {
        switch form {
        case .leading(let first):
            var separator = first
            for parameter in plain.parameters where !isTaken(query, parameter.name) {
                encoding.append(separator, to: &text)
                encoding.append(query, parameter.name.lowerBound..<parameter.end, to: &text)
                separator = UInt8(ascii: "&")
            }
        case .trailing:
            for parameter in plain.parameters where !isTaken(query, parameter.name) {
                encoding.append(query, parameter.name.lowerBound..<parameter.end, to: &text)
                encoding.append(UInt8(ascii: "&"), to: &text)
            }
        case .carried:
            var (writer, count) = (Base64.Writer.url, 0)
            for parameter in plain.parameters where !isTaken(query, parameter.name) {
                let range = parameter.name.lowerBound..<parameter.end
                if count + 1 + range.count > ClickID.carriedLimit { continue }
                writer.append(count == 0 ? UInt8(ascii: "?") : UInt8(ascii: "&"), to: &text)
                writer.append(query, range, to: &text)
                count += 1 + range.count
            }
            writer.finish(&text)
        }
    }

    private func isTaken(_ bytes: Span<UInt8>, _ name: Range<Int>) -> Bool {
        let ownTaken = self.taken
        let taken = ownTaken.span
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

    /// Estimated memory.
    package var byteCount: Int { 112 + taken.count }
}

/// How the characters of plain queries are written in a place.
///
/// Isolation: confined to the thread of an event loop, as `QueryEncodings` is.
package final class QueryEncoding {
    /// Where the text of a byte begins in `texts`, and its length; 0 and 0 for one that is written as it is.
    private let places: [(start: UInt8, count: UInt8)]
    private let texts: [UInt8]
    /// The length of the longest text.
    private let longest: Int

    /// - Parameter texts: of the reserved characters, in order.
    fileprivate init?(_ texts: [[UInt8]]) {
        var (places, all) = (Array(repeating: (start: UInt8(0), count: UInt8(0)), count: 256), [UInt8]())
        for (character, text) in zip(PlainQuery.reserved, texts) where text != [character] {
            guard (1...12).contains(text.count) else { return nil }
            places[Int(character)] = (UInt8(all.count), UInt8(text.count))
            all += text
        }
        self.places = places
        self.texts = all
        longest = places.lazy.map { max(1, Int($0.count)) }.max() ?? 1
    }

    func text(of character: UInt8) -> [UInt8] {
        var text: [UInt8] = []
        append(character, to: &text)
        return text
    }

    func append(_ character: UInt8, to text: inout [UInt8]) {
        let place = places[Int(character)]
        if place.count == 0 { return text.append(character) }
        for index in 0..<Int(place.count) { text.append(texts[Int(place.start) + index]) }
    }

    func append(_ bytes: Span<UInt8>, _ range: Range<Int>, to text: inout [UInt8]) {
        // In runs, as this is done for each byte of a query in each of its places.
        text.reserveCapacity(text.count + range.count * longest)
        var start = range.lowerBound
        for index in range where places[Int(bytes[index])].count > 0 {
            text.append(copying: bytes, start..<index)
            append(bytes[index], to: &text)
            start = index + 1
        }
        text.append(copying: bytes, start..<range.upperBound)
    }
}

/// The encodings of an event loop's places: few, as all links share them.
package final class QueryEncodings {
    private var known: [[[UInt8]]: QueryEncoding] = [:]
    private static let limit = 64

    package init() {}

    /// By the texts of the reserved characters of plain queries, in order.
    subscript(texts: [[UInt8]]) -> QueryEncoding? {
        get { known[texts] }
        set { if known.count < Self.limit { known[texts] = newValue } }
    }
}

extension BidirectionalCollection<UInt8> {
    fileprivate func hasSuffix(_ text: some Collection<UInt8>) -> Bool { suffix(text.count).elementsEqual(text) }
}

extension [UInt8] {
    fileprivate mutating func append(copying bytes: Span<UInt8>, _ range: Range<Int>) {
        // unsafe because a pointer is lent; it is used only during the call.
        unsafe bytes.extracting(range).withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }
}
