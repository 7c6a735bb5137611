import WaymarkJSON

/// The part of an application that keys without the scope `admin` can read: what a form for a link needs.
public struct ApplicationSummary: Sendable, Hashable {
    public var id: String
    public var name: String
    /// The hosts of its links; empty: all hosts that no application names.
    public var domains: [String]
    /// The routes of its templates, in their order, such as `products/:product_id`.
    public var routes: [String]
    /// Those that the application describes, of `ios`, `android` and `web`, in this order.
    public var platforms: [String]
    public var urlSchemes: URLSchemes
    public var appearance: ApplicationRequest.Appearance
    /// Whose files describe it; nil: nobody's.
    public var managedBy: String?

    /// The app's own schemes, without a colon; nil where the application has none.
    public struct URLSchemes: Sendable, Hashable {
        public var ios: String?
        public var android: String?

        public init(ios: String? = nil, android: String? = nil) {
            self.ios = ios
            self.android = android
        }
    }

    public init(
        id: String, name: String, domains: [String], routes: [String], platforms: [String],
        urlSchemes: URLSchemes, appearance: ApplicationRequest.Appearance, managedBy: String? = nil
    ) {
        self.id = id
        self.name = name
        self.domains = domains
        self.routes = routes
        self.platforms = platforms
        self.urlSchemes = urlSchemes
        self.appearance = appearance
        self.managedBy = managedBy
    }

    /// What an app compares itself with: for keys with the scope `resolve` alone.
    public var identityJSON: [UInt8] {
        JSONWriter.text { writer in
            writer.beginObject()
            writer.member("id", id)
            writer.strings("domains", domains)
            writer.strings("platforms", platforms)
            writeURLSchemes(&writer)
            writer.endObject()
        }
    }

    /// As in `GET /api/v1/apps` and `GET /api/v1/apps/{id}`.
    public var json: [UInt8] {
        JSONWriter.text { writer in
            writer.beginObject()
            writer.member("id", id)
            writer.member("name", name)
            writer.strings("domains", domains)
            writer.strings("routes", routes)
            writer.strings("platforms", platforms)
            writeURLSchemes(&writer)
            writer.name("appearance")
            writer.beginObject()
            writer.member("iconURL", appearance.iconURL)
            writer.member("accentColor", appearance.accentColor)
            writer.endObject()
            writer.member("managedBy", ifGiven: managedBy)
            writer.endObject()
        }
    }

    private func writeURLSchemes(_ writer: inout JSONWriter) {
        writer.name("urlSchemes")
        writer.beginObject()
        writer.member("ios", urlSchemes.ios)
        writer.member("android", urlSchemes.android)
        writer.endObject()
    }
}
