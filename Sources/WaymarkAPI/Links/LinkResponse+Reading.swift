package import WaymarkJSON

/// The client's side: members that it does not know are passed over, because a newer server may send more.
extension LinkResponse {
    /// Reads a link that a server sent; nil where the bytes are none.
    public init?(json: [UInt8]) {
        guard let value = try? JSONValue(parsing: json) else { return nil }
        self.init(value)
    }

    package init?(_ value: JSONValue) {
        guard let smartlink = value["smartlink"]?.string, let domain = value["domain"]?.string,
            let slug = value["slug"]?.string, let app = value["app"]?.string,
            let redeem = RedeemCount(value["redeem"]), let state = value["state"]?.string,
            let version = value["version"]?.integer
        else { return nil }
        self.init(
            smartlink: smartlink, domain: domain, slug: slug, app: app, route: value["route"]?.string,
            routeParameters: Self.parameters(value["routeParameters"]),
            queryParameters: Self.parameters(value["queryParameters"]), urls: Self.urls(value["urls"]),
            hasMetadata: value["hasMetadata"]?.bool ?? false, redeemLimit: value["redeemLimit"]?.integer ?? 0,
            redeem: redeem, state: state, disabled: value["disabled"]?.bool ?? false,
            validFrom: value["validFrom"]?.string, expiresAt: value["expiresAt"]?.string,
            maxClicks: value["maxClicks"]?.integer, clicks: value["clicks"]?.integer ?? 0,
            social: value["social"]?.object.map { social in
                SocialRequest(
                    title: social["title"]?.string, description: social["description"]?.string,
                    imageURL: social["imageURL"]?.string)
            },
            campaign: value["campaign"]?.object.map { campaign in
                CampaignRequest(
                    source: campaign["source"]?.string, medium: campaign["medium"]?.string,
                    name: campaign["name"]?.string, term: campaign["term"]?.string,
                    content: campaign["content"]?.string)
            },
            tags: (value["tags"]?.array ?? []).compactMap(\.string),
            forwardQuery: value["forwardQuery"]?.bool ?? true, createdAt: value["createdAt"]?.string ?? "",
            updatedAt: value["updatedAt"]?.string ?? "", version: version,
            rules: (value["rules"]?.array ?? []).compactMap { RuleRequest($0) },
            minimumVersion: MinimumVersionRequest(value["minimumVersion"]))
    }

    static func parameters(_ value: JSONValue?) -> [String: String] {
        var parameters: [String: String] = [:]
        for member in value?.object?.members ?? [] { parameters[member.name] = ParameterText.read(member.value) }
        return parameters
    }

    private static func urls(_ value: JSONValue?) -> [String: URLEntryRequest] {
        var urls: [String: URLEntryRequest] = [:]
        for member in value?.object?.members ?? [] {
            guard let link = member.value.string ?? member.value["link"]?.string else { continue }
            urls[member.name] = URLEntryRequest(link, fallback: member.value["fallback"]?.string)
        }
        return urls
    }
}
