package import WaymarkLinks

extension Rule {
    /// The encoding used by stores, for copies of a store.
    package var stored: [UInt8] {
        var writer = BinaryWriter()
        RuleCodec.write(self, to: &writer)
        return writer.bytes
    }

    /// Nil for bytes that are not a rule.
    package init?(stored bytes: [UInt8]) {
        guard let rule = RuleCodec.read(bytes[...]) else { return nil }
        self = rule
    }
}

/// The part of `LinkContentCodec` for rules. Like the content, each is a series of fields with ascending tags.
enum RuleCodec {
    // Stored numbers: their meaning must never change.
    private enum Tag {
        static let platforms: UInt8 = 1
        static let devices: UInt8 = 2
        static let browsers: UInt8 = 3
        static let inApps: UInt8 = 4
        static let isInApp: UInt8 = 5
        static let languages: UInt8 = 6
        static let countries: UInt8 = 7
        static let query: UInt8 = 8
        static let referrerHosts: UInt8 = 9
        static let after: UInt8 = 10
        static let before: UInt8 = 11
        static let percentage: UInt8 = 12
        static let everyone: UInt8 = 13
        static let urls: UInt8 = 14
        static let referrerApps: UInt8 = 15
        static let stores: UInt8 = 16
        static let name: UInt8 = 17
    }

    static func write(_ rule: Rule, to writer: inout BinaryWriter) {
        func texts(_ tag: UInt8, _ values: [String]) {
            if !values.isEmpty { writer.field(tag) { field in for value in values { field.text(value) } } }
        }
        let when = rule.when
        texts(Tag.platforms, when.platforms.map(\.rawValue))
        texts(Tag.devices, when.devices.map(\.rawValue))
        texts(Tag.browsers, when.browsers)
        texts(Tag.inApps, when.inApps)
        if let isInApp = when.isInApp { writer.field(Tag.isInApp) { $0.byte(isInApp ? 1 : 0) } }
        texts(Tag.languages, when.languages)
        texts(Tag.countries, when.countries)
        if !when.query.isEmpty {
            writer.field(Tag.query) { field in
                for parameter in when.query {
                    field.text(parameter.name)
                    // 0 for any value; otherwise the number of values plus one.
                    field.number(UInt64(parameter.values.map { $0.count + 1 } ?? 0))
                    for value in parameter.values ?? [] { field.text(value) }
                }
            }
        }
        texts(Tag.referrerHosts, when.referrerHosts.map(\.text))
        if let after = when.after { writer.field(Tag.after) { $0.signed(after.rawValue) } }
        if let before = when.before { writer.field(Tag.before) { $0.signed(before.rawValue) } }
        if let percentage = when.percentage { writer.field(Tag.percentage) { $0.number(UInt64(clamping: percentage)) } }
        switch rule.to {
        case .everyone(let entry): writer.field(Tag.everyone) { $0.text(entry.link.text) }
        case .platforms(let urls): writer.field(Tag.urls) { $0.urls(urls) }
        }
        texts(Tag.referrerApps, when.referrerApps)
        texts(Tag.stores, when.stores.map(\.rawValue))
        if let name = rule.name { writer.field(Tag.name) { $0.text(name) } }
    }

    /// Nil if the bytes are not a rule written by `write`.
    static func read(_ bytes: ArraySlice<UInt8>) -> Rule? {
        var reader = BinaryReader(bytes)
        var when = RuleCondition()
        var target: Rule.Target?
        var name: String?
        var last: UInt8 = 0
        while !reader.isAtEnd {
            guard let tag = reader.byte(), tag > last, let payload = reader.run() else { return nil }
            last = tag
            var field = BinaryReader(payload)
            if tag == Tag.everyone || tag == Tag.urls {
                target = self.target(tag, &field)
                guard target != nil else { return nil }
            } else if tag == Tag.name {
                name = field.text()
                guard name != nil else { return nil }
            } else {
                guard condition(tag, &field, &when) else { return nil }
            }
            guard field.isAtEnd else { return nil }
        }
        return target.map { Rule(name: name, when: when, to: $0) }
    }

    private static func target(_ tag: UInt8, _ field: inout BinaryReader) -> Rule.Target? {
        if tag == Tag.urls { return LinkContentReader.urls(&field).map(Rule.Target.platforms) }
        return field.text().flatMap { URLPattern($0) }.map { .everyone(URLEntry(link: $0, fallback: nil)) }
    }

    private static func condition(_ tag: UInt8, _ field: inout BinaryReader, _ when: inout RuleCondition) -> Bool {
        func values<Value>(_ index: inout [Value], _ read: (String) -> Value?) -> Bool {
            while !field.isAtEnd {
                guard let value = field.text().flatMap(read) else { return false }
                index.append(value)
            }
            return !index.isEmpty
        }
        switch tag {
        case Tag.platforms: return values(&when.platforms) { Platform(rawValue: $0) }
        case Tag.devices: return values(&when.devices) { Visitor.Device(rawValue: $0) }
        case Tag.browsers: return values(&when.browsers) { $0 }
        case Tag.inApps: return values(&when.inApps) { $0 }
        case Tag.isInApp:
            when.isInApp = field.byte().flatMap { $0 < 2 ? $0 == 1 : nil }
            return when.isInApp != nil
        case Tag.languages: return values(&when.languages) { $0 }
        case Tag.countries: return values(&when.countries) { $0 }
        case Tag.query: return query(&field, &when)
        case Tag.referrerHosts: return values(&when.referrerHosts) { HostPattern($0) }
        case Tag.referrerApps: return values(&when.referrerApps) { $0 }
        case Tag.stores: return values(&when.stores) { Visitor.Store(rawValue: $0) }
        case Tag.after:
            when.after = field.signed().map { Timestamp(rawValue: $0) }
            return when.after != nil
        case Tag.before:
            when.before = field.signed().map { Timestamp(rawValue: $0) }
            return when.before != nil
        case Tag.percentage:
            when.percentage = field.number().flatMap { (1...100).contains($0) ? Int($0) : nil }
            return when.percentage != nil
        default: return false
        }
    }

    private static func query(_ field: inout BinaryReader, _ when: inout RuleCondition) -> Bool {
        while !field.isAtEnd {
            guard let name = field.text(), let count = field.number(), count <= UInt64(Rule.valueLimit) + 1 else {
                return false
            }
            var values: [String]? = count == 0 ? nil : []
            for _ in 1..<max(1, count) {
                guard let value = field.text() else { return false }
                values?.append(value)
            }
            when.query.append(RuleCondition.Parameter(name: name, values: values))
        }
        return true
    }
}
