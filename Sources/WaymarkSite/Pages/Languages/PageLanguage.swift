/// The languages of pages for visitors.
enum PageLanguage: UInt8, Sendable, CaseIterable {
    /// First, because it is the default.
    case english
    case german, french, spanish, italian, portuguese, dutch, polish, turkish, japanese
    case simplifiedChinese, traditionalChinese, korean, arabic

    /// For `lang` and `Content-Language` (RFC 5646).
    var tag: String {
        switch self {
        case .english: "en"
        case .german: "de"
        case .french: "fr"
        case .spanish: "es"
        case .italian: "it"
        case .portuguese: "pt"
        case .dutch: "nl"
        case .polish: "pl"
        case .turkish: "tr"
        case .japanese: "ja"
        case .simplifiedChinese: "zh-Hans"
        case .traditionalChinese: "zh-Hant"
        case .korean: "ko"
        case .arabic: "ar"
        }
    }

    /// For `dir`.
    var direction: String { self == .arabic ? "rtl" : "ltr" }

    var texts: PageTexts {
        switch self {
        case .english: .english
        case .german: .german
        case .french: .french
        case .spanish: .spanish
        case .italian: .italian
        case .portuguese: .portuguese
        case .dutch: .dutch
        case .polish: .polish
        case .turkish: .turkish
        case .japanese: .japanese
        case .simplifiedChinese: .simplifiedChinese
        case .traditionalChinese: .traditionalChinese
        case .korean: .korean
        case .arabic: .arabic
        }
    }
}
