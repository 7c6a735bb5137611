package import WaymarkLinks

/// An endpoint that receives events.
package struct Webhook: Sendable, Equatable {
    package enum DisabledReason: UInt8, Sendable {
        /// By a request.
        case manual = 1
        /// No attempt succeeded for five days.
        case failures = 2
        /// The endpoint answered 410.
        case gone = 3
    }

    /// What is known of an endpoint whose document is damaged, or written by a later version: it is listed, can be deleted,
    /// and its messages wait.
    package struct Unreadable: Sendable, Equatable {
        /// As the row has them.
        var types: EventTypes
    }

    /// A key that signs messages.
    package struct Secret: Sendable, Equatable {
        /// Before a key that is not sealed, whose first byte may be any.
        fileprivate static let plainMark: UInt8 = 0

        /// The key as it is stored: sealed where metadata is.
        package var stored: [UInt8]
        /// Nil: the current secret. A replaced one signs beside it until then.
        package var expiresAt: Timestamp?

        package init(stored: [UInt8], expiresAt: Timestamp? = nil) {
            self.stored = stored
            self.expiresAt = expiresAt
        }

        /// - Parameters:
        ///   - key: 24 to 64 bytes.
        ///   - webhook: The endpoint's id.
        package init(key: [UInt8], of webhook: String, sealedWith keys: MetadataKeys) {
            self.init(stored: keys.stored([Self.plainMark] + key, of: .webhook(webhook)))
        }

        /// - Throws: as `MetadataKeys.opened(_:of:)`.
        package func key(of webhook: String, _ keys: MetadataKeys) throws(StoreError) -> [UInt8] {
            Array(try keys.opened(stored, of: .webhook(webhook)).dropFirst())
        }
    }

    package var id: String
    /// Nil: events of all applications.
    package var application: ApplicationID?
    package var url: String
    package var name: String?
    /// Whose files describe it; nil: nobody's.
    package var managedBy: String?
    /// Types of events and patterns of them, as given.
    package var events: [String]
    /// The current one first.
    package var secrets: [Secret]
    package var disabled: DisabledReason?
    package var createdAt: Timestamp
    /// When the first attempt failed since the last one that succeeded.
    package var failingSince: Timestamp?
    package private(set) var unreadable: Unreadable?

    package init(
        id: String, application: ApplicationID?, url: String, name: String?, events: [String], secrets: [Secret],
        createdAt: Timestamp, disabled: DisabledReason? = nil, failingSince: Timestamp? = nil,
        managedBy: String? = nil
    ) {
        self.id = id
        self.application = application
        self.url = url
        self.name = name
        self.events = events
        self.secrets = secrets
        self.createdAt = createdAt
        self.disabled = disabled
        self.failingSince = failingSince
        self.managedBy = managedBy
    }

    /// With its secrets sealed with the first of the keys.
    package func sealed(with keys: MetadataKeys) throws(StoreError) -> Webhook {
        var webhook = self
        for (index, secret) in secrets.enumerated() {
            webhook.secrets[index].stored = try keys.resealed(secret.stored, of: .webhook(id)) ?? secret.stored
        }
        return webhook
    }

    /// With its secrets in plain text.
    package func opened(with keys: MetadataKeys) throws(StoreError) -> Webhook {
        var webhook = self
        for (index, secret) in secrets.enumerated() {
            webhook.secrets[index].stored = try keys.opened(secret.stored, of: .webhook(id))
        }
        return webhook
    }

    /// The types of events that are sent to it.
    package var types: EventTypes {
        unreadable?.types ?? events.reduce(into: []) { $0.formUnion(EventTypes(pattern: $1)) }
    }

    /// Empty while it is disabled.
    package var activeTypes: EventTypes { disabled == nil ? types : [] }

    package func receives(_ event: OutboxEvent) -> Bool {
        disabled == nil && types.contains(event.type) && (application == nil || application == event.application)
    }
}

extension Webhook {
    private static let form: UInt8 = 2
    /// With `managedBy`. One without is written in the form that earlier programs read.
    private static let formWithManager: UInt8 = 3
    /// Its secrets are keys in plain text, without a mark.
    private static let formWithPlainKeys: UInt8 = 1

    /// Everything but the id and the application.
    package var encoded: [UInt8] {
        var writer = BinaryWriter()
        writer.byte(managedBy == nil ? Self.form : Self.formWithManager)
        writer.text(url)
        writer.byte(name == nil ? 0 : 1)
        writer.text(name ?? "")
        writer.number(UInt64(events.count))
        for event in events { writer.text(event) }
        writer.number(UInt64(secrets.count))
        for secret in secrets {
            writer.run(secret.stored)
            writer.time(secret.expiresAt)
        }
        writer.byte(disabled?.rawValue ?? 0)
        writer.signed(createdAt.rawValue)
        writer.time(failingSince)
        if let managedBy { writer.text(managedBy) }
        return writer.bytes
    }

    /// What a program must read to read `encoded`.
    package var need: FormatNeed? { Self.need(managedBy: managedBy) }

    package static func need(managedBy: String?) -> FormatNeed? {
        managedBy == nil ? nil : FormatNeed(.v0_3, "managedBy of webhooks")
    }

    /// - Throws: `.corrupt` for bytes that `encoded` did not write.
    package init(id: String, application: ApplicationID?, encoded bytes: [UInt8]) throws(StoreError) {
        guard let read = Self(id, application, bytes) else { throw .corrupt("the webhook \"\(id)\" is damaged") }
        self = read
    }

    /// For reading all endpoints: one that can't be read must not hide the others.
    ///
    /// - Parameter types: Of its row.
    package init(id: String, application: ApplicationID?, types: Int64, encoded bytes: [UInt8]) {
        if let read = Self(id, application, bytes) {
            self = read
            return
        }
        self.init(
            id: id, application: application, url: "", name: nil, events: [], secrets: [],
            createdAt: Timestamp(rawValue: 0))
        unreadable = Unreadable(types: EventTypes(rawValue: types))
    }

    private init?(_ id: String, _ application: ApplicationID?, _ bytes: [UInt8]) {
        var reader = BinaryReader(bytes[...])
        guard let form = reader.byte(),
            [Self.form, Self.formWithManager, Self.formWithPlainKeys].contains(form), let url = reader.text(),
            let hasName = reader.byte(),
            let name = reader.text(),
            let eventCount = reader.number()
        else { return nil }
        var events: [String] = []
        for _ in 0..<eventCount {
            guard let event = reader.text() else { return nil }
            events.append(event)
        }
        guard let secretCount = reader.number() else { return nil }
        var secrets: [Secret] = []
        for _ in 0..<secretCount {
            guard let key = reader.run(), let end = reader.time() else { return nil }
            let mark = form == Self.formWithPlainKeys ? [Secret.plainMark] : []
            secrets.append(Secret(stored: mark + key, expiresAt: end.time))
        }
        guard let disabled = reader.byte(), let created = reader.signed(), let failing = reader.time()
        else { return nil }
        let managedBy = form == Self.formWithManager ? reader.text() : nil
        guard reader.isAtEnd, (managedBy != nil) == (form == Self.formWithManager) else { return nil }
        self.init(
            id: id, application: application, url: url, name: hasName == 0 ? nil : name, events: events,
            secrets: secrets, createdAt: Timestamp(rawValue: created), disabled: DisabledReason(rawValue: disabled),
            failingSince: failing.time, managedBy: managedBy)
    }
}

extension BinaryWriter {
    mutating func time(_ time: Timestamp?) {
        byte(time == nil ? 0 : 1)
        if let time { signed(time.rawValue) }
    }
}

extension BinaryReader {
    /// A time, or the mark that there is none.
    enum OptionalTime {
        case none
        case time(Timestamp)

        var time: Timestamp? {
            if case .time(let time) = self { time } else { nil }
        }
    }

    /// Nil for damaged bytes.
    mutating func time() -> OptionalTime? {
        guard let isThere = byte() else { return nil }
        guard isThere == 1 else { return OptionalTime.none }
        return signed().map { .time(Timestamp(rawValue: $0)) }
    }
}
