package import WaymarkJSON

/// Up to 100 conversions: the body of `POST /api/v1/conversions`.
public struct ConversionsRequest: Sendable, Hashable {
    public static let limit = 100

    public var conversions: [ConversionRequest]

    public init(conversions: [ConversionRequest]) { self.conversions = conversions }

    /// The readable part of a body, and the problems of its shape.
    package static func attempt(_ document: JSONDocument) -> (body: ConversionsRequest?, problems: [FieldProblem]) {
        ObjectReader.attempt(document) { reader in
            guard reader.value("conversions") != nil else {
                reader.reject("conversions", "is missing")
                return ConversionsRequest(conversions: [])
            }
            let none = ConversionRequest(id: "", name: "", at: "")
            return ConversionsRequest(
                conversions: reader.objects("conversions", instead: none) { ConversionRequest(reading: &$0) } ?? [])
        }
    }

    package static let shape = JSONShape.object([
        "conversions": .array(
            .names(
                ["id", "name", "clickID", "smartlink", "installID", "at"],
                ["value": .names(["amount", "currency"])]),
            atMost: limit)
    ])

    public var json: [UInt8] {
        JSONWriter.text { writer in
            writer.beginObject()
            writer.array("conversions", conversions) { $0.write(to: &$1) }
            writer.endObject()
        }
    }
}

/// Something that a person did because of a link, such as a purchase.
public struct ConversionRequest: Sendable, Hashable {
    /// An exact amount of money.
    public struct Value: Sendable, Hashable {
        /// A decimal such as `12.50`: at most 12 digits before the point and 6 behind it.
        public var amount: String
        /// Three letters of ISO 4217, such as `EUR`.
        public var currency: String

        public init(amount: String, currency: String) {
            self.amount = amount
            self.currency = currency
        }
    }

    /// Chosen by the caller: 1 to 255 bytes without control characters. A conversion with the same id is counted once
    /// within 90 days.
    public var id: String
    /// 1 to 100 bytes without control characters, such as `purchase`.
    public var name: String
    /// The `_hk_cid` of the click; else `smartlink` or `installID` leads to the link.
    public var clickID: String?
    public var smartlink: String?
    /// Of the installation that claimed a click.
    public var installID: String?
    /// RFC 3339.
    public var at: String
    public var value: Value?

    public init(
        id: String, name: String, clickID: String? = nil, smartlink: String? = nil, installID: String? = nil,
        at: String, value: Value? = nil
    ) {
        self.id = id
        self.name = name
        self.clickID = clickID
        self.smartlink = smartlink
        self.installID = installID
        self.at = at
        self.value = value
    }

    fileprivate init(reading reader: inout ObjectReader) {
        id = reader.required("id") ?? ""
        name = reader.required("name") ?? ""
        clickID = reader.string("clickID")
        smartlink = reader.string("smartlink")
        installID = reader.string("installID")
        at = reader.required("at") ?? ""
        value = reader.object("value") { value in
            Value(amount: value.required("amount") ?? "", currency: value.required("currency") ?? "")
        }
    }

    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("id", id)
        writer.member("name", name)
        writer.member("clickID", ifGiven: clickID)
        writer.member("smartlink", ifGiven: smartlink)
        writer.member("installID", ifGiven: installID)
        writer.member("at", at)
        if let value {
            writer.name("value")
            writer.beginObject()
            writer.member("amount", value.amount)
            writer.member("currency", value.currency)
            writer.endObject()
        }
        writer.endObject()
    }
}

/// The response of `GET /api/v1/conversions`.
public struct ConversionGroupsResponse: Sendable, Hashable {
    public struct Group: Sendable, Hashable {
        /// Nil: links that were deleted, or links without a campaign.
        public var value: String?
        public var all: Part
        /// The part of `all` that apps reported.
        public var fromApps: Part

        public init(value: String?, all: Part, fromApps: Part) {
            self.value = value
            self.all = all
            self.fromApps = fromApps
        }
    }

    public struct Part: Sendable, Hashable {
        public var count: Int
        /// Exact decimals by currency, in the order of the currencies.
        public var sums: [(currency: String, amount: String)]

        public init(count: Int, sums: [(currency: String, amount: String)]) {
            self.count = count
            self.sums = sums
        }

        public static func == (one: Part, other: Part) -> Bool {
            one.count == other.count && one.sums.elementsEqual(other.sums) { $0 == $1 }
        }

        public func hash(into hasher: inout Hasher) { hasher.combine(count) }

        fileprivate func write(to writer: inout JSONWriter) {
            writer.member("count", count)
            writer.name("sums")
            writer.beginObject()
            for sum in sums { writer.member(given: sum.currency, sum.amount) }
            writer.endObject()
        }
    }

    public var groups: [Group]

    public init(groups: [Group]) { self.groups = groups }

    public var json: [UInt8] {
        JSONWriter.text { writer in
            writer.beginObject()
            writer.array("groups", groups) { group, writer in
                writer.beginObject()
                writer.member("value", group.value)
                group.all.write(to: &writer)
                if group.fromApps.count > 0 {
                    writer.name("fromApps")
                    writer.beginObject()
                    group.fromApps.write(to: &writer)
                    writer.endObject()
                }
                writer.endObject()
            }
            writer.endObject()
        }
    }
}
