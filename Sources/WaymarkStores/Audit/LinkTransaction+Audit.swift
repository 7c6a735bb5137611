internal import WaymarkAPI
package import WaymarkLinks

extension EncodedLink {
    /// What an entry says of a link that is created: made before the transaction, which others wait for.
    static func audited(_ link: NewLink) -> [UInt8]? {
        guard let call = AuditCall.current, case .each = call.links else { return nil }
        return AuditValues.bounded(
            link.content.auditedJSON(hasMetadata: link.metadata != nil))
    }
}

extension LinkTransaction {
    mutating func audit(created link: Link, _ new: EncodedLink) throws {
        try audit(.linkCreated, link) { (nil, new.audited) }
    }

    /// - Parameter fields: the names of those that differ.
    mutating func audit(changed old: Link, to new: Link, _ fields: [String]) throws {
        try audit(.linkChanged, new) {
            let names = fields.map { ["metadata": "hasMetadata", "password": "hasPassword"][$0] ?? $0 }
            var (before, after) = (old.auditValues.limited(to: names), new.auditValues.limited(to: names))
            if old.slug != new.slug {
                before.add("slug", old.slug.text)
                after.add("slug", new.slug.text)
            }
            return (before.json, after.json)
        }
    }

    package mutating func audit(renamed old: Link, to new: Link) throws {
        try audit(.linkRenamed, new) {
            var (before, after) = (AuditValues(), AuditValues())
            before.add("slug", old.slug.text)
            after.add("slug", new.slug.text)
            return (before.json, after.json)
        }
    }

    mutating func audit(deleted link: Link) throws {
        try audit(.linkDeleted, link) { (link.auditValues.json, nil) }
    }

    private mutating func audit(
        _ action: AuditAction, _ link: Link, _ values: () -> (before: [UInt8]?, after: [UInt8]?)
    ) throws {
        guard let call = auditCall else { return }
        switch call.links {
        case .none: break
        case .each:
            let (before, after) = values()
            try add(
                AuditEntry(action, .link(link), of: link.application, by: call, before: before, after: after))
        case .once(let once):
            guard once.take() else { return }
            try add(
                AuditEntry(action, AuditObject(.links, nil), of: once.application, by: call, after: once.after))
        }
    }
}

extension Link {
    fileprivate var auditValues: AuditValues {
        AuditValues(json: content.auditedJSON(hasMetadata: hasMetadata), hidesSecrets: false)
    }
}

extension LinkContent {
    /// As a request would have them, and only whether there are metadata and a password.
    fileprivate func auditedJSON(hasMetadata: Bool) -> [UInt8] {
        var json = LinkRequest(self, metadata: nil).json
        for (name, exists) in [("hasMetadata", hasMetadata), ("hasPassword", self.password != nil)] where exists {
            json.removeLast()
            json += Array("\(json.count > 1 ? "," : "")\"\(name)\":true}".utf8)
        }
        return json
    }
}
