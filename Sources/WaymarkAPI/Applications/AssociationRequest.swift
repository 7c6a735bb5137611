internal import WaymarkJSON

/// Selects an association file: the body of `POST /api/v1/association/lint`, and a part of that of `simulate`.
public struct AssociationSubject: Sendable, Hashable {
    /// Exactly one of the two is sent.
    public enum File: Sendable, Hashable {
        /// The text of the file as served.
        case document(String)
        /// The file that the service generates for the application with this ID.
        case application(String)
    }

    public var file: File
    /// `apple-app-site-association` or `assetlinks.json`. Nil: detected by the type of the JSON value; the former for
    /// an application.
    public var kind: String?

    public init(_ file: File, kind: String? = nil) {
        self.file = file
        self.kind = kind
    }

    /// - Throws: `BodyError` with all invalid members.
    public init(json: [UInt8]) throws(BodyError) {
        self = try ObjectReader.body(json, shape: Self.shape) { AssociationSubject(reading: &$0) }
    }

    init?(reading reader: inout ObjectReader) {
        let document = reader.string("document")
        let application = reader.string("application")
        kind = reader.string("kind")
        switch (document, application) {
        case (let document?, nil): file = .document(document)
        case (nil, let application?): file = .application(application)
        case (_?, _?):
            reader.reject("application", "must not be given together with document")
            return nil
        case (nil, nil):
            let isGiven = reader.value("document") != nil || reader.value("application") != nil
            if !isGiven { reader.reject("document", "is missing; give it, or application") }
            return nil
        }
    }

    func write(to writer: inout JSONWriter) {
        switch file {
        case .document(let text): writer.member("document", text)
        case .application(let id): writer.member("application", id)
        }
        if let kind { writer.member("kind", kind) }
    }

    /// The body of `POST /api/v1/association/lint`.
    public var json: [UInt8] {
        JSONWriter.text { writer in
            writer.beginObject()
            write(to: &writer)
            writer.endObject()
        }
    }
}

/// A URL and the association file to evaluate it with: the body of `POST /api/v1/association/simulate`.
public struct AssociationSimulateRequest: Sendable, Hashable {
    public var subject: AssociationSubject
    /// An absolute URL.
    public var url: String
    /// The only installed app: an app identifier, or a package name on Android; nil if all apps of the file are
    /// installed.
    public var app: String?
    /// `ios` or `android`; nil: derived from the file.
    public var platform: String?
    /// How the user gets to the URL, by the names in the documentation; nil if unspecified.
    public var context: String?
    /// The entries of the app's Associated Domains entitlement; not checked if empty.
    public var domains: [String]
    /// The time for which the file is made, RFC 3339, with an application only; nil: now.
    public var at: String?

    public init(
        _ subject: AssociationSubject, url: String, app: String? = nil, platform: String? = nil,
        context: String? = nil, domains: [String] = [], at: String? = nil
    ) {
        self.at = at
        self.subject = subject
        self.url = url
        self.app = app
        self.platform = platform
        self.context = context
        self.domains = domains
    }

    /// - Throws: `BodyError` with all invalid members.
    public init(json: [UInt8]) throws(BodyError) {
        self = try ObjectReader.body(json, shape: Self.shape) { reader in
            let subject = AssociationSubject(reading: &reader)
            let isGiven = reader.value("url") != nil
            let url = reader.string("url")
            if !isGiven { reader.reject("url", "is missing") }
            let app = reader.string("app")
            let platform = reader.string("platform")
            let context = reader.string("context")
            let domains = reader.strings("domains") ?? []
            let at = reader.string("at")
            if at != nil, case .document? = subject?.file {
                reader.reject("at", "needs application: a document is of no time")
            }
            guard let subject, let url else { return nil }
            return AssociationSimulateRequest(
                subject, url: url, app: app, platform: platform, context: context, domains: domains, at: at)
        }
    }

    public var json: [UInt8] {
        JSONWriter.text { writer in
            writer.beginObject()
            subject.write(to: &writer)
            writer.member("url", url)
            if let app { writer.member("app", app) }
            if let platform { writer.member("platform", platform) }
            if let context { writer.member("context", context) }
            if let at { writer.member("at", at) }
            if !domains.isEmpty {
                writer.name("domains")
                writer.beginArray()
                for domain in domains { writer.string(domain) }
                writer.endArray()
            }
            writer.endObject()
        }
    }
}
