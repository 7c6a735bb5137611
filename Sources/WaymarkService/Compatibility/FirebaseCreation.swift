import WaymarkBytes
package import WaymarkLinks
package import WaymarkStores

/// A Firebase Dynamic Link to be created.
package struct FirebaseCreation: Sendable {
    package enum Suffix: Sendable, Equatable {
        /// 17 characters of base62.
        case unguessable
        /// Four characters or more.
        case short
        case custom(Slug)
    }

    package var application: ServedApplication
    package var domain: HostName
    /// The prefix of the slug: empty, or up to three segments, each followed by a slash.
    package var prefix: String
    package var suffix: Suffix
    package var content: LinkContent

    package init(
        application: ServedApplication, domain: HostName, prefix: String, suffix: Suffix, content: LinkContent
    ) {
        self.application = application
        self.domain = domain
        self.prefix = prefix
        self.suffix = suffix
        self.content = content
    }
}

extension LinkService {
    /// Creates the link, or finds the one created earlier with the same parameters: the slug is derived from them, so
    /// that equal requests have the same slug, even if they are concurrent or on different servers.
    package func create(_ creation: FirebaseCreation) async throws(StoreError) -> CreationOutcome {
        for slug in try await slugs(of: creation) {
            // Most requests are not repeated, but an existing link must be found before creating one.
            if let link = try await store.link(creation.domain, slug) {
                if creation.isSame(link) { return .existing(link) }
                continue
            }
            let outcome = try await insert(creation, slug)
            guard case .slugTaken = outcome else { return outcome }
            // An equal request may have been faster.
            if let link = try await store.link(creation.domain, slug), creation.isSame(link) { return .existing(link) }
        }
        return .slugTaken
    }

    private func insert(_ creation: FirebaseCreation, _ slug: Slug) async throws(StoreError) -> CreationOutcome {
        let draft = NewLink(
            application: creation.application.id, domain: creation.domain, slug: slug, content: creation.content)
        guard case .done(let outcomes) = try await create([draft]), let outcome = outcomes.first else {
            return .slugTaken
        }
        return outcome
    }

    /// In the order of attempts.
    private func slugs(of creation: FirebaseCreation) async throws(StoreError) -> [Slug] {
        switch creation.suffix {
        case .custom(let slug): return [slug]
        case .unguessable, .short:
            let randomBytes = dependencies.randomBytes
            let secret = try await store.secret("firebase-slug", make: { randomBytes(32) })
            let digest = dependencies.sha256(secret + creation.identity)
            let code = DerivedCode(digest: digest)
            let codes =
                creation.suffix == .unguessable
                ? [code.text] : (4...code.text.count).map { String(code.text.suffix($0)) }
            return codes.compactMap { Slug(creation.prefix + $0) }
        }
    }
}

extension FirebaseCreation {
    /// All properties that distinguish two links, each prefixed with its length.
    fileprivate var identity: [UInt8] {
        let option = suffix == .short ? "SHORT" : "UNGUESSABLE"
        var bytes: [UInt8] = []
        for part in [application.id.text, domain.text, prefix, option, content.firebase?.query ?? ""] {
            bytes += Array("\(part.utf8.count):\(part)".utf8)
        }
        return bytes
    }

    /// A request for a custom suffix never returns an existing link.
    fileprivate func isSame(_ link: Link) -> Bool {
        guard suffix == .unguessable || suffix == .short else { return false }
        return link.application == application.id && link.content.firebase == content.firebase
    }
}

/// 96 bits as 17 characters of base62, unpredictable without the store's secret.
struct DerivedCode {
    let text: String

    /// - Precondition: at least 12 bytes.
    init(digest: [UInt8]) {
        var number = Array(digest.prefix(12))
        var characters: [UInt8] = []
        for _ in 0..<17 {
            var remainder = 0
            for index in number.indices {
                let value = remainder << 8 | Int(number[index])
                number[index] = UInt8(value / 62)
                remainder = value % 62
            }
            characters.append(Base62.alphabet[remainder])
        }
        text = String(decoding: characters.reversed(), as: UTF8.self)
    }
}
