import WaymarkHTTP

extension PageLanguage {
    /// The language that the visitor would rather read than the others that are here: the best by quality, of equal ones
    /// the first (RFC 4647 section 3.4). English where none of the visitor's languages is supported.
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

    /// - Parameter tag: a language range such as `pt-BR`; subtags that make no difference here are passed over. Nil for a
    ///   language that is not here, and for `*`.
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
        // ISO 639-3 has codes of their own for Mandarin and Cantonese.
        case "zh", "cmn": self = Self.chinese(tag, from: position, otherwise: .simplifiedChinese)
        case "yue": self = Self.chinese(tag, from: position, otherwise: .traditionalChinese)
        default: return nil
        }
    }

    /// By the script where one is named, else by the region, whose script it is.
    private static func chinese(
        _ tag: Span<UInt8>, from start: Int, otherwise: PageLanguage
    ) -> PageLanguage {
        var position = start
        // After a single letter only extensions and private subtags follow (RFC 5646 section 2.1).
        while let subtag = subtag(of: tag, at: &position), subtag.utf8.count > 1 {
            switch subtag {
            case "hans", "cn", "sg", "my": return .simplifiedChinese
            case "hant", "tw", "hk", "mo", "yue": return .traditionalChinese
            default: continue
            }
        }
        return otherwise
    }

    /// The subtag at a position, in lower case, and where the next one begins; nil behind the last. Of one that is longer
    /// than any subtag is only the beginning.
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
