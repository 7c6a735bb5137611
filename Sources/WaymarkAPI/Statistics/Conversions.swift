package import WaymarkJSON

/// Up to 100 conversions: the body of `POST /api/v1/conversions`.
public struct ConversionsRequest: Sendable, Hashable {
    public static let limit = 100

    public var conversions: [ConversionRequest]

    public init(conversions: [ConversionRequest]) { self.conversions = conversions }

    package static let members = MemberTable<ConversionsRequest> {
        Member(
            "conversions",
            .objects(ConversionRequest.members, atMost: limit) { ConversionRequest(id: "", name: "", at: "") },
            required: \.conversions)
    }

    package static var shape: JSONShape { members.shape }

    /// The readable part of a body, and the problems of its shape.
    package static func attempt(_ document: JSONDocument) -> (body: ConversionsRequest?, problems: [FieldProblem]) {
        ObjectReader.attempt(document) { reader in
            var request = ConversionsRequest(conversions: [])
            members.read(&reader, into: &request)
            return request
        }
    }

    public var json: [UInt8] { JSONWriter.text { Self.members.write(self, to: &$0) } }
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

    package static let members = MemberTable<ConversionRequest> {
        Member("id", .text, required: \.id)
        Member("name", .text, required: \.name)
        Member("clickID", .text, \.clickID)
        Member("smartlink", .text, \.smartlink)
        Member("installID", .text, \.installID)
        Member("at", .text, required: \.at)
        Member("value", .object(Value.members) { Value(amount: "", currency: "") }, \.value)
    }
}

extension ConversionRequest.Value {
    package static let members = MemberTable<ConversionRequest.Value> {
        Member("amount", .text, required: \.amount)
        Member("currency", .text, required: \.currency)
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
