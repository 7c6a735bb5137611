import WaymarkHTTP

extension PageLanguage {
    /// The supported language that the visitor prefers: the one with the highest quality, the first if several are
    /// equal (RFC 4647 section 3.4). English if none is supported.
    init(_ head: RequestHead, _ bytes: Span<UInt8>) {
        self = .english
        guard head.value(.acceptLanguage) != nil else { return }
        var quality = 0
        for position in 0..<head.fieldCount {
            let field = head.field(at: position)
            guard field.known == .acceptLanguage else { continue }
            var list = QualityList(field.value)
            while quality < 1_000, let element = list.next(in: bytes) {
                guard element.quality > quality,
                    let language = PageLanguage(tag: bytes.extracting(element.value.indices))
                else { continue }
                (self, quality) = (language, element.quality)
            }
        }
    }

    /// - Parameter tag: a language range such as `pt-BR`; irrelevant subtags are ignored. Nil for unsupported languages
    ///   and for `*`.
    init?(tag: Span<UInt8>) {
        var position = 0
        switch Self.subtag(of: tag, at: &position) {
        case "en": self = .english
        case "de": self = .german
        case "fr": self = .french
        case "es": self = .spanish
        case "it": self = .italian
        case "pt": self = .portuguese
        case "nl": self = .dutch
        case "pl": self = .polish
        case "tr": self = .turkish
        case "ja": self = .japanese
        case "ko": self = .korean
        case "ar": self = .arabic
        // ISO 639-3 has separate codes for Mandarin and Cantonese.
        case "zh", "cmn": self = Self.chinese(tag, from: position, otherwise: .simplifiedChinese)
        case "yue": self = Self.chinese(tag, from: position, otherwise: .traditionalChinese)
        default: return nil
        }
    }

    /// By the script if there is one, otherwise by the script of the region.
    private static func chinese(
        _ tag: Span<UInt8>, from start: Int, otherwise: PageLanguage
    ) -> PageLanguage {
        var position = start
        // A single letter starts extensions and private subtags (RFC 5646 section 2.1).
        while let subtag = subtag(of: tag, at: &position), subtag.utf8.count > 1 {
            switch subtag {
            case "hans", "cn", "sg", "my": return .simplifiedChinese
            case "hant", "tw", "hk", "mo", "yue": return .traditionalChinese
            default: continue
            }
        }
        return otherwise
    }

    /// The subtag at a position, in lower case, which is then moved to the next one; nil after the last. Subtags that
    /// are too long to be valid are truncated.
    private static func subtag(of tag: Span<UInt8>, at position: inout Int) -> String? {
        guard position < tag.count else { return nil }
        var subtag = ""
        while position < tag.count, tag[position] != UInt8(ascii: "-") {
            if subtag.utf8.count < 9 { subtag.unicodeScalars.append(Unicode.Scalar(tag[position].lowercasedASCII)) }
            position += 1
        }
        position += 1
        return subtag
    }
}
