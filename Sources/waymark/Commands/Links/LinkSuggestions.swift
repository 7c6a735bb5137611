import WaymarkBytes
import WaymarkJSON

/// The links that a misspelt address may stand for.
enum LinkSuggestions {
    private static let limit = 3

    /// ` did you mean …?` for the end of a sentence; empty if no link is similar, or if the key can't list links.
    static func question(_ reference: LinkReference, _ api: any API) async -> String {
        let near = await near(reference, api)
        guard let last = near.last else { return "" }
        let list = near.count == 1 ? last : near.dropLast().joined(separator: ", ") + " or " + last
        return " Did you mean \(list)?"
    }

    /// A mistake is in one half of the slug, so links with the other half are looked at.
    private static func near(_ reference: LinkReference, _ api: any API) async -> [String] {
        let slug = reference.slug
        guard !slug.isEmpty, slug.utf8.count <= 200 else { return [] }
        let half = max(1, slug.count / 2)
        let last = slug.split(separator: "/").last.map(String.init) ?? slug
        var found: [LinkReference] = []
        for (name, text) in [("search", String(last.prefix(half))), ("query", String(slug.suffix(half)))] {
            let target = "/api/v1/links" + PercentEncoding.query([(name, text), ("limit", "200")])
            let page = try? await api.json("GET", target)
            for link in page?["links"]?.array ?? [] {
                guard let domain = link["domain"]?.string, let slug = link["slug"]?.string else { continue }
                let candidate = LinkReference(domain: domain, slug: slug)
                if !found.contains(candidate) { found.append(candidate) }
            }
        }
        return nearest(reference, in: found).map(\.text)
    }

    /// At most three, the most similar first.
    static func nearest(_ reference: LinkReference, in candidates: [LinkReference]) -> [LinkReference] {
        let slug = reference.slug.lowercased()
        let tolerance = NearestName.tolerance(slug)
        let ranked = candidates.compactMap { candidate -> (LinkReference, Int)? in
            let other = candidate.slug.lowercased()
            var distance = NearestName.distance(slug, other)
            // Half typed.
            if distance > tolerance, slug.count > 2, other.hasPrefix(slug) { distance = tolerance }
            guard distance <= tolerance else { return nil }
            if let domain = reference.domain?.lowercased() {
                distance += min(NearestName.distance(domain, candidate.domain ?? ""), 32)
            }
            return (candidate, distance)
        }
        return ranked.sorted { ($0.1, $0.0.text) < ($1.1, $1.0.text) }.prefix(limit).map(\.0)
    }
}
