package import WaymarkLinks
import WaymarkStores

/// A row that was checked: the link that it becomes, or why it becomes none.
package struct PreparedRow: Sendable {
    /// Where the link will be found.
    struct Place: Sendable {
        var address: LinkAddress
        var url: String
        /// Whether it was not on this domain at the service.
        var isMoved: Bool
    }

    package var row: Int
    /// Nil where it is refused. Its slug and aliases are those of `places` that no link has yet.
    package var link: NewLink?
    /// Whether links that are alike are at all places already.
    var isPresent = false
    /// Whether the link has a password that the source does not tell.
    var lacksPassword = false
    /// Those that the source gives the link; the first is its slug. Empty where it gives none.
    private(set) var places: [Place] = []
    package var slug: String
    package var smartlink = ""
    package var notes: [String] = []
    package var refusal: ImportResult?
    /// Places whose links another row of the same transaction makes, alike.
    var awaited: [LinkAddress] = []

    package init(row: Int, slug: String) {
        self.row = row
        self.slug = slug
    }

    /// Characters. Notes may repeat what the source says.
    static let longestReason = 4_000

    mutating func refuse(_ outcome: ImportOutcome, _ reason: String) {
        link = nil
        refusal = ImportResult(
            row: row, outcome: outcome, slug: slug, smartlink: smartlink, reason: reason.excerpt(Self.longestReason))
    }

    /// - Parameter site: The URL in front of the path: `https://go.example.com`.
    mutating func add(_ address: LinkAddress, _ site: String, isMoved: Bool) {
        if let known = places.firstIndex(where: { $0.address == address }) {
            places[known].isMoved = places[known].isMoved && isMoved
            return
        }
        places.append(Place(address: address, url: site + "/" + address.slug.encoded, isMoved: isMoved))
        if places.count > 1 { setAddresses(places.map(\.address)) }
    }

    private mutating func setAddresses(_ addresses: [LinkAddress]) {
        guard let first = addresses.first else { return isPresent = true }
        link?.domain = first.domain
        link?.slug = first.slug
        link?.content.aliases = addresses.dropFirst().map {
            LinkAlias($0.slug, on: $0.domain == first.domain ? nil : $0.domain)
        }
    }

    /// Leaves places to other links of the source, which are at home there. If the slug is among them, the first place at home
    /// becomes the slug; it is a clash without one.
    ///
    /// - Parameter isOther: Whether a link is at home there that is not alike.
    mutating func yield(where isOther: (LinkAddress) -> Bool) {
        let lost = places.filter { $0.isMoved && isOther($0.address) }.map(\.address)
        guard refusal == nil, !lost.isEmpty else { return }
        let reasons = lost.map { "\($0.text) is taken by another link of the source, which is on that domain" }
        var kept = places.filter { !lost.contains($0.address) }
        if let slug = places.first?.address, let reason = reasons.first, lost.first == slug {
            guard let first = kept.firstIndex(where: { !$0.isMoved }) else { return refuse(.clash, reason) }
            let place = kept.remove(at: first)
            kept.insert(place, at: 0)
            self.slug = place.address.slug.text.excerpt(200)
            smartlink = place.url
        }
        notes += reasons.map { "a slug was left out: " + $0 }
        places = kept
        setAddresses(kept.map(\.address))
    }

    /// Leaves it to make the link at those of its places where none is, if links that are alike are at the others.
    ///
    /// - Parameters:
    ///   - missing: Those of `places` that have no link, in their order.
    ///   - present: One that has.
    mutating func reduce(to missing: [LinkAddress], besides present: LinkAddress) {
        setAddresses(missing)
        guard let first = missing.first else { return }
        notes.append("\(first.text) becomes a link of its own, because \(present.text) is there already")
    }

    /// As if it were created, or alike where there is nothing to create.
    var result: ImportResult {
        if let refusal { return refusal }
        let aliases = isPresent ? nil : link.map { $0.content.furtherAddresses(of: $0.domain) }
        let also = places.dropFirst().filter { aliases?.contains($0.address) ?? true }.map { "also \($0.url)" }
        return ImportResult(
            row: row, outcome: isPresent ? .same : .created, slug: slug, smartlink: smartlink,
            reason: (also + notes).joined(separator: "; ").excerpt(Self.longestReason))
    }

    /// Whether a link that is there is what the row would make of it. Clicks that were counted elsewhere may have moved on.
    static func areAlike(_ link: NewLink, _ found: Link, hasPassword: Bool? = nil) -> Bool {
        // Many sources, exports among them, have no metadata.
        guard link.application == found.application, link.metadata == nil || found.hasMetadata else { return false }
        // Checking a password takes long, and who changed it here meant to.
        guard hasPassword ?? (link.password != nil) == (found.content.password != nil) else { return false }
        if link.content == found.content { return true }
        var content = found.content
        content.importedClicks = link.content.importedClicks
        content.password = link.content.password
        // Each is looked up by itself.
        content.aliases = link.content.aliases
        return content == link.content
    }
}
