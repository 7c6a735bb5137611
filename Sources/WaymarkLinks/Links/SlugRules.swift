/// What an application demands of the slugs and aliases of its links, besides what every `Slug` meets. Stores enforce it,
/// also between servers.
package struct SlugRules: OptionSet, Hashable, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Slugs are looked up without regard to case, and no two on a host differ in case alone.
    package static let ignoreCase = SlugRules(rawValue: 1)
    /// No slug begins with one of `compatibilitySegments`.
    package static let reserveCompatibility = SlugRules(rawValue: 2)

    /// The first path segments of the calls of Firebase Dynamic Links and HOKO.
    package static let compatibilitySegments: Set<String> = ["v1", "v2", "lazy"]

    /// Whether a link may have the slug. Where case is ignored, a reserved path is reserved in every case: `API`, `sale/QR.PNG`.
    package func permit(_ slug: Slug) -> Bool {
        var text = slug.text
        if contains(.ignoreCase) {
            text = slug.caseFolded
            // Folding may lengthen a slug, which matters nowhere.
            if let problem = Slug.problem(of: text), problem != .tooLong { return false }
        }
        return !contains(.reserveCompatibility) || !SlugRules.beginsWithCompatibility(text)
    }

    fileprivate static func beginsWithCompatibility(_ text: String) -> Bool {
        // Nearly all slugs.
        guard let first = text.utf8.first, [UInt8(ascii: "l"), UInt8(ascii: "v")].contains(first) else { return false }
        return compatibilitySegments.contains(String(text.prefix { $0 != "/" }))
    }
}

extension Slug {
    /// Whether the first segment is one of calls of Firebase Dynamic Links or HOKO.
    package var isOfCompatibility: Bool { SlugRules.beginsWithCompatibility(text) }

    /// The text without regard to case: equal for slugs that differ in case alone. Not a slug itself, and up to three times
    /// as long.
    package var caseFolded: String {
        if text.utf8.allSatisfy({ $0 < 0x80 && !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }) { return text }
        var folded = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            // The dotless i of Turkish is no i, though both have the same capital letter (CaseFolding.txt of Unicode).
            guard scalar != "\u{131}" else {
                folded.append(scalar)
                continue
            }
            // By way of capitals, because letters such as ß and ſ differ from others only in lower case.
            for capital in scalar.properties.lowercaseMapping.uppercased().unicodeScalars {
                folded.append(contentsOf: capital.properties.lowercaseMapping.unicodeScalars)
            }
        }
        return UnicodeText.composed(String(folded))
    }
}

extension Application {
    package var slugRules: SlugRules {
        var rules: SlugRules = ignoresSlugCase ? .ignoreCase : []
        if firebase?.isEnabled == true || hoko.isEnabled { rules.insert(.reserveCompatibility) }
        return rules
    }
}

extension Link {
    /// That of the link's addresses which has the slug breaks the rules.
    package func reserved(_ slug: Slug) -> SlugClash {
        .reserved(addresses.first { $0.slug == slug }?.domain ?? domain, slug)
    }

    /// Another link's slug differs in case alone from one of this link's.
    package func clash(with slug: Slug) -> SlugClash {
        let address = address(foldedLike: slug)
        return .sameButForCase(address?.domain ?? domain, address?.slug ?? self.slug, slug)
    }
}

/// Why the links of an application can't have its slug rules.
package enum SlugClash: Sendable, Hashable {
    /// Two links have these slugs or aliases, which differ in case alone.
    case sameButForCase(HostName, Slug, Slug)
    /// A link has this slug or alias, which is the service's own where the rules hold.
    case reserved(HostName, Slug)

    /// What is wrong and what to do. A renamed link keeps its slug as an alias.
    package var sentence: String {
        switch self {
        case .sameButForCase(let host, let one, let other):
            """
            The slugs or aliases \(host.text)/\(one.text) and \(host.text)/\(other.text) of two links differ in case alone, so \
            case can't be ignored. Delete one of the links, or make it again under another slug.
            """
        case .reserved(let host, let slug):
            """
            The slug or alias \(host.text)/\(slug.text) is an address of the service's own calls, of Firebase's or of HOKO's, \
            which can't be served beside it. Delete that link, or make it again under another slug.
            """
        }
    }
}
