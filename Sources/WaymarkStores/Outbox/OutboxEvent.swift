package import WaymarkLinks

/// An event as it is written in the transaction of its change: everything that its message will report, because the link
/// may have changed or gone by the time it is sent. Never contains metadata, an address or a User-Agent.
package struct OutboxEvent: Sendable, Equatable {
    /// A value beside the link; named as in the message.
    package struct Attribute: Sendable, Equatable {
        package enum Value: Sendable, Equatable {
            case text(String)
            case number(Int64)
            case list([String])
            /// Values, each with its clicks.
            case counts([Counted])
            case null
        }

        package struct Counted: Sendable, Equatable {
            package var value: String?
            package var clicks: Int64

            package init(_ value: String?, clicks: Int) {
                self.value = value
                self.clicks = Int64(clicks)
            }
        }

        package var name: String
        package var value: Value

        package init(_ name: String, _ value: Value) {
            self.name = name
            self.value = value
        }

        package init(_ name: String, _ text: String?) {
            self.init(name, text.map(Value.text) ?? .null)
        }
    }

    /// A click in `link.clicked`: on which link, and how it is classified.
    package struct Click: Sendable, Equatable {
        package var at: Timestamp
        package var domain: HostName
        package var slug: Slug
        package var profile: ClickRecord.Profile
    }

    package var type: EventType
    /// Nil: of no single application.
    package var application: ApplicationID?
    package var at: Timestamp
    /// As the change left it, or as it was before its deletion.
    package var link: Link?
    package var attributes: [Attribute]
    /// Of `link.clicked`.
    package var clicks: [Click]

    package init(
        _ type: EventType, of application: ApplicationID?, at: Timestamp, link: Link? = nil,
        _ attributes: [Attribute] = [], clicks: [Click] = []
    ) {
        self.type = type
        self.application = application
        self.at = at
        self.link = link
        self.attributes = attributes
        self.clicks = clicks
    }

    /// An event of a link.
    package init(_ type: EventType, _ link: Link, at: Timestamp, _ attributes: [Attribute] = []) {
        self.init(type, of: link.application, at: at, link: link, attributes)
    }
}

extension OutboxEvent {
    /// Clicks in an event.
    package static let clickLimit = 100

    /// `link.clicked` for new blocks of an application: each event has the clicks of at most one second, and at most
    /// `clickLimit`. Blocks that can't be read have no clicks.
    ///
    /// - Parameter blocks: With their links.
    package static func clicks(of blocks: [(block: ClickBlock, link: Link)], _ application: ApplicationID)
        -> [OutboxEvent]
    {
        var clicks: [Click] = []
        for (block, link) in blocks {
            for record in block.contents?.records ?? [] {
                clicks.append(Click(at: record.time, domain: link.domain, slug: link.slug, profile: record.profile))
            }
        }
        clicks.sort { $0.at < $1.at }
        var events: [OutboxEvent] = []
        for click in clicks {
            if events.last?.at != click.at || events.last?.clicks.count == clickLimit {
                events.append(OutboxEvent(.linkClicked, of: application, at: click.at))
            }
            events[events.count - 1].clicks.append(click)
        }
        return events
    }

    package static func == (one: OutboxEvent, other: OutboxEvent) -> Bool { one.encoded == other.encoded }

    private static let form: UInt8 = 1

    private enum Part {
        static let link: UInt8 = 1
        static let attributes: UInt8 = 2
        static let clicks: UInt8 = 3
        /// Those of the clicks, which are ahead; events without any lack it, so that earlier versions read them.
        static let rules: UInt8 = 4
    }

    /// The form's number, the type, the application (empty for none), the time, and the parts that are there.
    package var encoded: [UInt8] {
        var writer = BinaryWriter()
        writer.reserve(256)
        writer.byte(Self.form)
        writer.byte(type.rawValue)
        writer.text(application?.text ?? "")
        writer.signed(at.rawValue)
        if let link { writer.field(Part.link) { link.write(to: &$0) } }
        if !attributes.isEmpty {
            writer.field(Part.attributes) { field in for attribute in attributes { attribute.write(to: &field) } }
        }
        if !clicks.isEmpty {
            writer.field(Part.clicks) { field in
                for click in clicks { click.write(to: &field) }
            }
            if clicks.contains(where: { $0.profile[.rule] != nil }) {
                writer.field(Part.rules) { field in
                    for click in clicks { for name in ClickField.ofRules { field.optional(click.profile[name]) } }
                }
            }
        }
        return writer.bytes
    }

    /// - Throws: `.corrupt` for bytes that `encoded` did not write.
    package init(encoded bytes: [UInt8]) throws(StoreError) {
        guard let event = Self(reading: bytes) else { throw .corrupt("an event in the outbox is damaged") }
        self = event
    }

    private init?(reading bytes: [UInt8]) {
        var reader = BinaryReader(bytes[...])
        guard reader.byte() == Self.form, let type = reader.byte().flatMap(EventType.init(rawValue:)),
            let name = reader.text(), let time = reader.signed()
        else { return nil }
        self.init(type, of: ApplicationID(name), at: Timestamp(rawValue: time))
        while let part = reader.byte() {
            guard let run = reader.run() else { return nil }
            var field = BinaryReader(run)
            switch part {
            case Part.link:
                guard let link = Link(reading: &field) else { return nil }
                self.link = link
            case Part.attributes:
                while !field.isAtEnd {
                    guard let attribute = Attribute(reading: &field) else { return nil }
                    attributes.append(attribute)
                }
            case Part.clicks:
                while !field.isAtEnd {
                    guard let click = Click(reading: &field) else { return nil }
                    clicks.append(click)
                }
            case Part.rules:
                for index in clicks.indices {
                    for name in ClickField.ofRules {
                        guard let text = field.optionalText() else { return nil }
                        clicks[index].profile[name] = text
                    }
                }
            default: return nil
            }
        }
    }
}

extension OutboxEvent.Click {
    fileprivate func write(to writer: inout BinaryWriter) {
        writer.signed(at.rawValue)
        writer.text(domain.text)
        writer.text(slug.text)
        for field in ClickField.first { writer.optional(profile[field]) }
    }

    fileprivate init?(reading reader: inout BinaryReader) {
        guard let time = reader.signed(), let domain = reader.text().flatMap({ HostName($0) }),
            let slug = reader.text().flatMap({ Slug($0) })
        else { return nil }
        at = Timestamp(rawValue: time)
        self.domain = domain
        self.slug = slug
        profile = ClickRecord.Profile()
        for field in ClickField.first {
            guard let text = reader.optionalText() else { return nil }
            profile[field] = text
        }
    }
}

extension BinaryWriter {
    fileprivate mutating func optional(_ text: String?) {
        byte(text == nil ? 0 : 1)
        if let text { self.text(text) }
    }
}

extension BinaryReader {
    /// Nil at the end and for damage.
    fileprivate mutating func optionalText() -> String?? {
        guard let isThere = byte() else { return nil }
        guard isThere == 1 else { return .some(nil) }
        return text().map { .some($0) }
    }
}

extension OutboxEvent.Attribute {
    fileprivate func write(to writer: inout BinaryWriter) {
        writer.text(name)
        switch value {
        case .null: writer.byte(0)
        case .text(let text):
            writer.byte(1)
            writer.text(text)
        case .number(let number):
            writer.byte(2)
            writer.signed(number)
        case .list(let texts):
            writer.byte(3)
            writer.number(UInt64(texts.count))
            for text in texts { writer.text(text) }
        case .counts(let counts):
            writer.byte(4)
            writer.number(UInt64(counts.count))
            for counted in counts {
                writer.optional(counted.value)
                writer.signed(counted.clicks)
            }
        }
    }

    fileprivate init?(reading reader: inout BinaryReader) {
        guard let name = reader.text(), let kind = reader.byte() else { return nil }
        switch kind {
        case 0: self.init(name, Value.null)
        case 1:
            guard let text = reader.text() else { return nil }
            self.init(name, Value.text(text))
        case 2:
            guard let number = reader.signed() else { return nil }
            self.init(name, Value.number(number))
        case 3:
            guard let count = reader.number() else { return nil }
            var texts: [String] = []
            for _ in 0..<count {
                guard let text = reader.text() else { return nil }
                texts.append(text)
            }
            self.init(name, Value.list(texts))
        case 4:
            guard let count = reader.number() else { return nil }
            var counts: [Counted] = []
            for _ in 0..<count {
                guard let value = reader.optionalText(), let clicks = reader.signed() else { return nil }
                counts.append(Counted(value, clicks: Int(clicks)))
            }
            self.init(name, Value.counts(counts))
        default: return nil
        }
    }
}

extension Link {
    fileprivate func write(to writer: inout BinaryWriter) {
        writer.signed(id.rawValue)
        writer.text(application.text)
        writer.text(domain.text)
        writer.text(slug.text)
        writer.byte(hasMetadata ? 1 : 0)
        writer.signed(Int64(redeemed))
        writer.signed(Int64(clicks))
        writer.signed(createdAt.rawValue)
        writer.signed(updatedAt.rawValue)
        writer.signed(Int64(version))
        writer.run(LinkContentCodec.encode(content))
    }

    fileprivate init?(reading reader: inout BinaryReader) {
        guard let id = reader.signed(), let application = reader.text().flatMap({ ApplicationID($0) }),
            let domain = reader.text().flatMap({ HostName($0) }), let slug = reader.text().flatMap({ Slug($0) }),
            let metadata = reader.byte(), let redeemed = reader.signed(), let clicks = reader.signed(),
            let created = reader.signed(), let updated = reader.signed(), let version = reader.signed(),
            let bytes = reader.run(), let content = try? LinkContentCodec.decode(bytes)
        else { return nil }
        self.init(
            id: LinkID(rawValue: id), application: application, domain: domain, slug: slug, content: content,
            hasMetadata: metadata == 1, redeemed: Int(redeemed), clicks: Int(clicks),
            createdAt: Timestamp(rawValue: created), updatedAt: Timestamp(rawValue: updated), version: Int(version))
    }
}
