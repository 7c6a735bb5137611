package import WaymarkJSON

/// The destination for one platform: `"https://…"`, or `{"link": "shop://…", "fallback": "store"}`.
public struct URLEntryRequest: Sendable, Hashable {
    public var link: String
    /// `store`, `web` or an absolute http(s) URL; nil: the application's setting.
    public var fallback: String?
    /// Of an entry of a template, for people only.
    package var name: String?

    public init(_ link: String, fallback: String? = nil) {
        self.link = link
        self.fallback = fallback
    }

    package func write(to writer: inout JSONWriter) {
        guard fallback != nil || name != nil else { return writer.string(link) }
        writer.beginObject()
        if let name { writer.member("name", name) }
        writer.member("link", link)
        if let fallback { writer.member("fallback", fallback) }
        writer.endObject()
    }
}

extension ObjectReader {
    /// Entries by platform name. The names are not checked here.
    ///
    /// - Parameter isNamed: whether entries may have names of their own, as those of templates.
    mutating func urls(_ name: String, isNamed: Bool = false) -> [String: URLEntryRequest]? {
        dictionary(name) { value, field, reader in
            if let link = value.string { return URLEntryRequest(link) }
            guard let members = value.object else {
                reader.reject(field(), value, mustBe: "a URL, or an object with link and fallback")
                return nil
            }
            return reader.part(members, at: field()) { entry -> URLEntryRequest? in
                let fallback = entry.string("fallback")
                let name = isNamed ? entry.string("name") : nil
                guard let link = entry.value("link") else {
                    entry.reject("link", "is missing")
                    return nil
                }
                guard let link = link.string else {
                    entry.reject("link", link, mustBe: "a string")
                    return nil
                }
                var request = URLEntryRequest(link, fallback: fallback)
                request.name = name
                return request
            }
        }
    }
}

extension JSONWriter {
    /// Sorted by platform, so that equal links have equal text.
    mutating func urls(_ name: StaticString, _ urls: [String: URLEntryRequest]) {
        self.name(name)
        beginObject()
        for (platform, entry) in urls.sorted(by: { $0.key < $1.key }) {
            self.name(given: platform)
            entry.write(to: &self)
        }
        endObject()
    }
}
