package import WaymarkJSON

/// The link's destination in the app, and its metadata.
public struct ResolveResponse: Sendable, Hashable {
    /// The URL for the requested platform; nil if the link has none.
    public var deeplink: String?
    public var route: String?
    public var routeParameters: [String: String]
    /// The link's own and those of the opened URL; the link's take precedence.
    public var queryParameters: [String: String]
    /// Nil if there is none, the redeem limit is reached, or it was not requested.
    public var metadata: RawJSON?
    public var redeem: RedeemCount
    /// Set if the app sent a version that is older than the link requires; otherwise nil.
    public var update: AppUpdate?

    public init(
        deeplink: String?, route: String?, routeParameters: [String: String],
        queryParameters: [String: String], metadata: RawJSON?, redeem: RedeemCount, update: AppUpdate? = nil
    ) {
        self.deeplink = deeplink
        self.route = route
        self.routeParameters = routeParameters
        self.queryParameters = queryParameters
        self.metadata = metadata
        self.redeem = redeem
        self.update = update
    }

    public var json: [UInt8] {
        JSONWriter.text { writer in
            writer.beginObject()
            writeMembers(to: &writer)
            writer.endObject()
        }
    }

    func writeMembers(to writer: inout JSONWriter) {
        writer.member("deeplink", deeplink)
        writer.member("route", route)
        writer.parameters("routeParameters", routeParameters)
        writer.parameters("queryParameters", queryParameters)
        if let metadata { writer.member("metadata", raw: metadata.bytes) } else { writer.memberNull("metadata") }
        writer.name("redeem")
        redeem.write(to: &writer)
        if let update {
            writer.name("update")
            update.write(to: &writer)
        }
    }

    /// Decodes a server's response; nil if the bytes are not one.
    public init?(json: [UInt8]) {
        guard let document = try? JSONDocument(json), let redeem = RedeemCount(document.root["redeem"]) else {
            return nil
        }
        self.init(
            deeplink: document.root["deeplink"]?.string, route: document.root["route"]?.string,
            routeParameters: ParameterText.readable(document.root["routeParameters"]),
            queryParameters: ParameterText.readable(document.root["queryParameters"]),
            metadata: document.root["metadata"].flatMap { metadata in
                metadata.object == nil ? nil : RawJSON(unchecked: document.text(of: metadata))
            },
            redeem: redeem, update: AppUpdate(document.root["update"]))
    }
}

/// The update required by a link that the app is too old for.
public struct AppUpdate: Sendable, Hashable {
    /// The oldest version that supports the link.
    public var minimumVersion: String
    /// The app's page in its store; nil if the application has none.
    public var url: String?

    public init(minimumVersion: String, url: String?) {
        self.minimumVersion = minimumVersion
        self.url = url
    }

    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("minimumVersion", minimumVersion)
        writer.member("url", url)
        writer.endObject()
    }

    init?(_ value: JSONValue?) {
        guard let minimumVersion = value?["minimumVersion"]?.string else { return nil }
        self.init(minimumVersion: minimumVersion, url: value?["url"]?.string)
    }
}

/// A link's redeem limit and how much of it is used.
public struct RedeemCount: Sendable, Hashable {
    /// Nil if redeems are not counted.
    public var limit: Int?
    public var used: Int
    /// Nil if redeems are not counted; also 0 if the limit was set below `used`.
    public var remaining: Int?
    /// In the response to a resolve: `redeemed`, `exhausted`, `none`, `unlimited` or `skipped`.
    public var status: String?

    public init(limit: Int?, used: Int, status: String? = nil) {
        self.limit = limit
        self.used = used
        self.remaining = limit.map { max(0, $0.subtractingReportingOverflow(used).partialValue) }
        self.status = status
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("limit", limit)
        writer.member("used", used)
        writer.member("remaining", remaining)
        writer.member("status", ifGiven: status)
        writer.endObject()
    }

    package init?(_ value: JSONValue?) {
        guard let value, let used = value["used"]?.integer else { return nil }
        limit = value["limit"]?.integer
        self.used = used
        remaining = value["remaining"]?.integer
        status = value["status"]?.string
    }
}
