import WaymarkJSON

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
            routeParameters: LinkResponse.parameters(document.root["routeParameters"]),
            queryParameters: LinkResponse.parameters(document.root["queryParameters"]),
            metadata: document.root["metadata"].flatMap { metadata in
                metadata.object == nil ? nil : RawJSON(unchecked: document.text(of: metadata))
            },
            redeem: redeem, update: AppUpdate(document.root["update"]))
    }
}
