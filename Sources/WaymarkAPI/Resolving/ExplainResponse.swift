import WaymarkJSON

/// Why a visit gets its response: the response of `POST /api/v1/explain`.
package struct ExplainResponse: Sendable, Hashable {
    /// Nil if there is no link at the URL.
    package var link: Location?
    package var visitor: Visitor
    /// Nil if the visitor has no system of Apple's phones and tablets or Android.
    package var association: Association?
    /// `redirect`, `openApp`, `store`, `page`, `preview`, `gone`, `scheduled` or `notFound`.
    package var outcome: String
    /// The URL that the visitor gets to, or the deep link that the app receives, without the service's own parameters; nil for
    /// a page that leads nowhere.
    package var leadsTo: String?
    /// The name or number of the rule that decided; nil if none did.
    package var rule: String?
    /// If a variant was asked for: the same, if the rule has a name and a percentage, else `.some(nil)`.
    package var variant: String??
    /// The destinations considered, in order.
    package var candidates: [Candidate]
    package var status: Int
    /// The response's header fields in order, without `Date` and those for framing.
    package var headers: [Header]
    package var click: Click

    package struct Location: Sendable, Hashable {
        package var domain, slug, state: String

        package init(domain: String, slug: String, state: String) {
            self.domain = domain
            self.slug = slug
            self.state = state
        }
    }

    package struct Visitor: Sendable, Hashable {
        package var platform, device: String
        package var browser, inApp, bot: String?
        package var prefetch: Bool
        package var language, country: String?
        package var why: [String]

        package init(
            platform: String, device: String, browser: String?, inApp: String?, bot: String?, prefetch: Bool,
            language: String?, country: String?, why: [String]
        ) {
            self.platform = platform
            self.device = device
            self.browser = browser
            self.inApp = inApp
            self.bot = bot
            self.prefetch = prefetch
            self.language = language
            self.country = country
            self.why = why
        }
    }

    /// What the host's association file does with the URL on a device that has the app: whether a tap opens the app, so
    /// that the visit never comes.
    package struct Association: Sendable, Hashable {
        /// Nil if it does not apply, or can't be decided.
        package var opens: Bool?
        /// The rule that decided, as in the file; nil if none did.
        package var rule: String?
        package var why: String

        package init(opens: Bool?, rule: String?, why: String) {
            self.opens = opens
            self.rule = rule
            self.why = why
        }
    }

    package struct Candidate: Sendable, Hashable {
        package var source: String
        package var url: String?
        package var taken: Bool
        package var why: String

        package init(source: String, url: String?, taken: Bool, why: String) {
            self.source = source
            self.url = url
            self.taken = taken
            self.why = why
        }
    }

    package struct Header: Sendable, Hashable {
        package var name, value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    package struct Click: Sendable, Hashable {
        package var counted: Bool
        package var why: String

        package init(counted: Bool, why: String) {
            self.counted = counted
            self.why = why
        }
    }

    package init(
        link: Location?, visitor: Visitor, association: Association?, outcome: String,
        leadsTo: String?, rule: String?, variant: String??, candidates: [Candidate], status: Int, headers: [Header],
        click: Click
    ) {
        self.link = link
        self.visitor = visitor
        self.association = association
        self.outcome = outcome
        self.leadsTo = leadsTo
        self.rule = rule
        self.variant = variant
        self.candidates = candidates
        self.status = status
        self.headers = headers
        self.click = click
    }

    package var json: [UInt8] { JSONWriter.text { write(to: &$0) } }

    private func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.name("link")
        if let link {
            writer.beginObject()
            writer.member("domain", link.domain)
            writer.member("slug", link.slug)
            writer.member("state", link.state)
            writer.endObject()
        } else {
            writer.null()
        }
        writer.name("visitor")
        visitor.write(to: &writer)
        writer.name("association")
        if let association {
            association.write(to: &writer)
        } else {
            writer.null()
        }
        writer.member("outcome", outcome)
        writer.member("leadsTo", leadsTo)
        writer.member("rule", rule)
        if let variant { writer.member("variant", variant) }
        writer.array("candidates", candidates) { candidate, writer in
            writer.beginObject()
            writer.member("source", candidate.source)
            writer.member("url", candidate.url)
            writer.member("taken", candidate.taken)
            writer.member("why", candidate.why)
            writer.endObject()
        }
        writer.name("response")
        writer.beginObject()
        writer.member("status", status)
        writer.name("headers")
        writer.beginObject()
        for header in headers { writer.member(given: header.name, header.value) }
        writer.endObject()
        writer.endObject()
        writer.name("click")
        writer.beginObject()
        writer.member("counted", click.counted)
        writer.member("why", click.why)
        writer.endObject()
        writer.endObject()
    }
}

extension ExplainResponse.Association {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.name("opens")
        if let opens {
            writer.bool(opens)
        } else {
            writer.null()
        }
        writer.member("rule", rule)
        writer.member("why", why)
        writer.endObject()
    }
}

extension ExplainResponse.Visitor {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("platform", platform)
        writer.member("device", device)
        writer.member("browser", browser)
        writer.member("inApp", inApp)
        writer.member("bot", bot)
        writer.member("prefetch", prefetch)
        writer.member("language", language)
        writer.member("country", country)
        writer.strings("why", why)
        writer.endObject()
    }
}
