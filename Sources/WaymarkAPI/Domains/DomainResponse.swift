package import WaymarkJSON

/// A host that smart links are served at, as returned by `GET /api/v1/domains`.
public struct DomainResponse: Sendable, Hashable {
    public struct Certificate: Sendable, Hashable {
        /// `file` (given in the configuration) or `acme` (from an authority).
        public var source: String
        /// RFC 3339: when it became valid.
        public var since: String
        /// RFC 3339: when it expires.
        public var until: String
        /// RFC 3339; nil: not renewed by the service.
        public var renewsAt: String?

        public init(source: String, since: String, until: String, renewsAt: String?) {
            self.source = source
            self.since = since
            self.until = until
            self.renewsAt = renewsAt
        }
    }

    /// Why there is no certificate, or no newer one.
    public struct Problem: Sendable, Hashable {
        /// RFC 3339.
        public var at: String
        /// For people.
        public var detail: String
        /// RFC 3339; nil: none is planned.
        public var nextAttempt: String?

        public init(at: String, detail: String, nextAttempt: String?) {
            self.at = at
            self.detail = detail
            self.nextAttempt = nextAttempt
        }
    }

    /// An association file, and who has fetched it.
    public struct AssociationFile: Sendable, Hashable {
        /// The last fetch by a service.
        public struct Fetch: Sendable, Hashable {
            /// RFC 3339.
            public var last: String
            /// Of the response.
            public var status: Int
            /// Nil: there was no file.
            public var etag: String?

            public init(last: String, status: Int, etag: String?) {
                self.last = last
                self.status = status
                self.etag = etag
            }
        }

        /// `apple-app-site-association` or `assetlinks.json`.
        public var name: String
        /// The entity tag with quotation marks; nil: there is no file.
        public var etag: String?
        /// RFC 3339: when this version replaced another one; nil: no other one is known.
        public var since: String?
        /// Nil: none by Apple is known.
        public var apple: Fetch?
        /// Nil: none by Google is known.
        public var google: Fetch?
        /// RFC 3339; nil: as far as is known, no device has an earlier version.
        public var devicesMayHoldOldUntil: String?
        /// Whether the service that devices ask has yet to fetch this version.
        public var isPending: Bool

        public init(
            name: String, etag: String?, since: String?, apple: Fetch?, google: Fetch?, devicesMayHoldOldUntil: String?,
            isPending: Bool
        ) {
            self.name = name
            self.etag = etag
            self.since = since
            self.apple = apple
            self.google = google
            self.devicesMayHoldOldUntil = devicesMayHoldOldUntil
            self.isPending = isPending
        }
    }

    public var domain: String
    /// Nil: of no application.
    public var app: String?
    /// Nil: there is none.
    public var certificate: Certificate?
    /// Nil: the last attempt succeeded.
    public var problem: Problem?
    /// Empty for a domain of no application.
    public var association: [AssociationFile]

    public init(
        domain: String, app: String?, certificate: Certificate?, problem: Problem?, association: [AssociationFile] = []
    ) {
        self.domain = domain
        self.app = app
        self.certificate = certificate
        self.problem = problem
        self.association = association
    }

    /// The body of `GET /api/v1/domains`.
    public static func list(_ domains: [DomainResponse]) -> [UInt8] {
        JSONWriter.text { writer in
            writer.beginObject()
            writer.array("domains", domains) { $0.write(to: &$1) }
            writer.endObject()
        }
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("domain", domain)
        writer.member("app", app)
        if let certificate {
            writer.name("certificate")
            writer.beginObject()
            writer.member("source", certificate.source)
            writer.member("since", certificate.since)
            writer.member("until", certificate.until)
            writer.member("renewsAt", certificate.renewsAt)
            writer.endObject()
        } else {
            writer.memberNull("certificate")
        }
        if let problem {
            writer.name("problem")
            writer.beginObject()
            writer.member("at", problem.at)
            writer.member("detail", problem.detail)
            writer.member("nextAttempt", problem.nextAttempt)
            writer.endObject()
        } else {
            writer.memberNull("problem")
        }
        if association.isEmpty {
            writer.memberNull("association")
        } else {
            writer.name("association")
            writer.beginObject()
            for file in association {
                writer.name(given: file.name)
                file.write(to: &writer)
            }
            writer.endObject()
        }
        writer.endObject()
    }
}

extension DomainResponse.AssociationFile {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("etag", etag)
        writer.member("since", since)
        writer.name("fetches")
        writer.beginObject()
        writer.optional("apple", apple)
        writer.optional("google", google)
        writer.endObject()
        writer.member("devicesMayHoldOldUntil", devicesMayHoldOldUntil)
        writer.member("pending", isPending)
        writer.endObject()
    }
}

extension JSONWriter {
    fileprivate mutating func optional(_ name: StaticString, _ fetch: DomainResponse.AssociationFile.Fetch?) {
        guard let fetch else { return memberNull(name) }
        self.name(name)
        beginObject()
        member("last", fetch.last)
        member("status", fetch.status)
        member("etag", fetch.etag)
        endObject()
    }
}
