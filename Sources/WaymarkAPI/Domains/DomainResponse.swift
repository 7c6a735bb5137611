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

    public var domain: String
    /// Nil: of no application.
    public var app: String?
    /// Nil: there is none.
    public var certificate: Certificate?
    /// Nil: the last attempt succeeded.
    public var problem: Problem?

    public init(domain: String, app: String?, certificate: Certificate?, problem: Problem?) {
        self.domain = domain
        self.app = app
        self.certificate = certificate
        self.problem = problem
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
        writer.endObject()
    }
}
