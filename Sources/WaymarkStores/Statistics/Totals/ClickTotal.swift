package import WaymarkLinks

/// The clicks of one application in one quarter of an hour, or in one day: in all, and by the value of each field.
package struct ClickTotal: Sendable, Equatable {
    /// What clicks are counted by: the fields of a record, and the domain of the link.
    package enum Dimension: Sendable, Hashable {
        case field(ClickField)
        case domain

        /// In the order of the stored bytes; new ones come at the end.
        package static let all =
            ClickField.first.map { Dimension.field($0) } + [.domain] + ClickField.ofRules.map { Dimension.field($0) }
        /// Those of form 1, which clicks without rules are stored in.
        static let countOfForm1 = ClickField.first.count + 1

        var index: Int {
            switch self {
            case .field(let field): Int(field.rawValue) + (ClickField.ofRules.contains(field) ? 1 : 0)
            case .domain: ClickField.first.count
            }
        }

        /// Whether there may be any number of values: visitors send them, or links bring them along.
        var isUnbounded: Bool {
            switch self {
            case .field(.referrerHost), .field(.language), .field(.campaign), .field(.rule), .field(.variant): true
            default: false
            }
        }
    }

    /// Clicks by the values of one dimension.
    package struct Values: Sendable, Equatable {
        /// Nil: clicks without a value.
        package var counts: [String?: ClickCount] = [:]
        /// Clicks whose values did not fit.
        package var rest = ClickCount()

        package init() {}

        package mutating func add(_ count: ClickCount, of value: String?) {
            if value == ClickField.rest { rest += count } else { counts[value, default: ClickCount()] += count }
        }

        package mutating func merge(_ other: Values) {
            for (value, count) in other.counts { add(count, of: value) }
            rest += other.rest
        }

        /// Keeps the most frequent values that the limit has room for, and adds the others to the rest. The result depends
        /// on nothing but the values.
        package mutating func narrow(to limit: Limit) {
            guard counts.count > limit.values || textBytes > limit.bytes else { return }
            // Of equally frequent ones those that come first in the alphabet, and clicks without a value before all.
            let ordered = counts.sorted { one, other in
                guard let left = one.key, let right = other.key else { return one.key == nil && other.key != nil }
                guard one.value.sum == other.value.sum else { return one.value.sum > other.value.sum }
                return left < right
            }
            var kept: [String?: ClickCount] = [:]
            var bytes = 0
            for (value, count) in ordered {
                let length = value?.utf8.count ?? 0
                if kept.count < limit.values, bytes + length <= limit.bytes {
                    kept[value] = count
                    bytes += length
                } else {
                    rest += count
                }
            }
            counts = kept
        }

        private var textBytes: Int { counts.keys.reduce(0) { $0 + ($1?.utf8.count ?? 0) } }
    }

    /// How many values of a dimension are told apart, and the bytes of their texts.
    package struct Limit: Sendable {
        let values: Int
        let bytes: Int

        /// Of a quarter of an hour: a row is rewritten with each flush.
        package static let ofQuarter = Limit(values: 100, bytes: 12 << 10)
        /// Of a day's summary.
        package static let ofDay = Limit(values: 1_000, bytes: 128 << 10)
        /// While quarters of an hour are added up.
        package static let whileAdding = Limit(values: 8_000, bytes: 1 << 20)
        /// Of dimensions whose values visitors can't choose.
        static let ofOthers = Limit(values: 4_096, bytes: 256 << 10)
    }

    package static let quarter: Int64 = 900
    package static let quartersOfDay = 96

    package var count = ClickCount()
    /// In the order of `Dimension.all`.
    package var values = [Values](repeating: Values(), count: Dimension.all.count)
    package var visitors = VisitorSketch()

    package init() {}

    package subscript(dimension: Dimension) -> Values {
        get { values[dimension.index] }
        _modify { yield &values[dimension.index] }
    }

    package mutating func merge(_ other: ClickTotal) {
        count += other.count
        for index in values.indices { values[index].merge(other.values[index]) }
        visitors.merge(other.visitors)
    }

    /// Leaves as many values as the limit allows of dimensions whose values visitors choose, and bounds the others.
    package mutating func narrow(to limit: Limit) {
        for dimension in Dimension.all {
            values[dimension.index].narrow(to: dimension.isUnbounded ? limit : .ofOthers)
        }
    }

    /// Whether a dimension has more values than `Limit.ofQuarter` allows, as rows of earlier versions have.
    package var isWide: Bool {
        Dimension.all.contains {
            values[$0.index].counts.count > ($0.isUnbounded ? Limit.ofQuarter : .ofOthers).values
        }
    }

    /// The day (UTC), counted since 1970.
    package static func day(ofQuarter quarter: Int) -> Int {
        quarter / quartersOfDay - (quarter % quartersOfDay < 0 ? 1 : 0)
    }

    /// The quarter of an hour, counted since 1970.
    package static func quarter(ofSecond second: Int64) -> Int {
        Int(second / quarter - (second % quarter < 0 ? 1 : 0))
    }
}

extension ClickTotal {
    /// The form's number, the clicks, for each dimension its length and its values, and the sketch of the visitors. Form 1
    /// lacks the rules, and is that of clicks without: earlier versions read it.
    package var encoded: [UInt8] {
        var writer = BinaryWriter()
        let form: UInt8 = hasRules ? 2 : 1
        writer.byte(form)
        writer.count(count)
        for values in form == 1 ? values.prefix(Dimension.countOfForm1) : values[...] {
            var part = BinaryWriter()
            values.write(to: &part)
            writer.run(part.bytes)
        }
        var sketch = BinaryWriter()
        visitors.write(to: &sketch)
        writer.run(sketch.bytes)
        return writer.bytes
    }

    private var hasRules: Bool {
        ClickField.ofRules.contains { field in
            let values = self[.field(field)]
            return values.rest.sum > 0 || values.counts.keys.contains { $0 != nil }
        }
    }

    /// - Throws: `.corrupt` for bytes that `encoded` did not write.
    package init(encoded bytes: [UInt8]) throws(StoreError) {
        try self.init(encoded: bytes, dimensions: Dimension.all, withVisitors: true)
    }

    /// The parts that are asked for; the others stay empty.
    package init(encoded bytes: [UInt8], dimensions: [Dimension], withVisitors: Bool) throws(StoreError) {
        let damaged = StoreError.corrupt("click totals are damaged")
        var reader = BinaryReader(bytes[...])
        guard let form = reader.byte(), 1...2 ~= form, let count = reader.count() else { throw damaged }
        self.count = count
        if form == 1, count.sum > 0 { for field in ClickField.ofRules { self[.field(field)].add(count, of: nil) } }
        for index in values.indices.prefix(form == 1 ? Dimension.countOfForm1 : values.count) {
            guard let part = reader.run() else { throw damaged }
            guard dimensions.contains(where: { $0.index == index }) else { continue }
            guard let read = Values(reading: part) else { throw damaged }
            values[index] = read
        }
        guard let sketch = reader.run(), reader.isAtEnd else { throw damaged }
        guard withVisitors else { return }
        guard let visitors = VisitorSketch(reading: sketch) else { throw damaged }
        self.visitors = visitors
    }
}

extension ClickTotal.Values {
    /// The number of values; each value's length plus one and its bytes, or zero for none, and its clicks; the rest.
    func write(to writer: inout BinaryWriter) {
        let ordered = counts.sorted { one, other in
            guard let left = one.key, let right = other.key else { return one.key == nil && other.key != nil }
            return left.utf8.lexicographicallyPrecedes(right.utf8)
        }
        writer.number(UInt64(ordered.count))
        for (value, count) in ordered {
            if let value {
                writer.number(UInt64(value.utf8.count) + 1)
                writer.append(value.utf8)
            } else {
                writer.number(0)
            }
            writer.count(count)
        }
        writer.count(rest)
    }

    init?(reading bytes: ArraySlice<UInt8>) {
        var reader = BinaryReader(bytes)
        guard let number = reader.number(), number <= UInt64(bytes.count) else { return nil }
        counts.reserveCapacity(Int(number))
        for _ in 0..<number {
            guard let length = reader.number() else { return nil }
            var value: String?
            if length > 0 {
                guard let text = reader.text(length: length - 1) else { return nil }
                value = text
            }
            guard let count = reader.count() else { return nil }
            counts[value, default: ClickCount()] += count
        }
        guard let rest = reader.count(), reader.isAtEnd else { return nil }
        self.rest = rest
    }
}

extension BinaryWriter {
    mutating func count(_ count: ClickCount) {
        number(UInt64(count.people))
        number(UInt64(count.bots))
    }
}

extension BinaryReader {
    mutating func count() -> ClickCount? {
        // Sums of counts must not overflow.
        guard let people = number(), let bots = number(), people < 1 << 48, bots < 1 << 48 else { return nil }
        return ClickCount(people: Int(people), bots: Int(bots))
    }
}
