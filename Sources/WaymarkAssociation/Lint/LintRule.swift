/// All rules of lint. The raw value is the code in responses; it is stable, so that rules can be looked up and ignored.
package enum LintRule: String, Sendable, Hashable, CaseIterable {
    // JSON
    case jsonEmpty = "json-empty"
    case jsonUTF16 = "json-utf16"
    case jsonNotUTF8 = "json-not-utf8"
    case jsonCompressed = "json-compressed"
    case jsonHTML = "json-html"
    case jsonByteOrderMark = "json-byte-order-mark"
    case jsonCurlyQuote = "json-curly-quote"
    case jsonSingleQuote = "json-single-quote"
    case jsonOpenString = "json-open-string"
    case jsonControlCharacter = "json-control-character"
    case jsonEscape = "json-escape"
    case jsonComment = "json-comment"
    case jsonTrailingComma = "json-trailing-comma"
    case jsonExtraComma = "json-extra-comma"
    case jsonMissingComma = "json-missing-comma"
    case jsonMissingBracket = "json-missing-bracket"
    case jsonExtraBracket = "json-extra-bracket"
    case jsonNotOutside = "json-not-outside"
    case jsonWord = "json-word"
    case jsonInvisible = "json-invisible"
    case jsonMoreText = "json-more-text"
    case jsonTooDeep = "json-too-deep"
    case jsonSyntax = "json-syntax"
    case jsonRepeatedMember = "json-repeated-member"
    // The file
    case fileSigned = "file-signed"
    case fileTooLarge = "file-too-large"
    case fileLarge = "file-large"
    case fileExtension = "file-extension"
    case budgetExceeded = "budget-exceeded"
    case findingsOmitted = "findings-omitted"
    case rootType = "root-type"
    case wrongType = "wrong-type"
    case memberUnknown = "member-unknown"
    case memberMisspelt = "member-misspelt"
    case noService = "no-service"
    // Entries and apps
    case detailsByApp = "details-by-app"
    case detailsMissing = "details-missing"
    case appsNotEmpty = "apps-not-empty"
    case appMissing = "app-missing"
    case appIDsEmpty = "app-ids-empty"
    case appIDIgnored = "app-id-ignored"
    case appRepeated = "app-repeated"
    case appIDShape = "app-id-shape"
    case appIDPlaceholder = "app-id-placeholder"
    case appIDStoreNumber = "app-id-store-number"
    case appIDWithoutPrefix = "app-id-without-prefix"
    case appIDWildcard = "app-id-wildcard"
    case appIDPrefixLength = "app-id-prefix-length"
    case rulesMixed = "rules-mixed"
    case rulesMissing = "rules-missing"
    case rulesEmpty = "rules-empty"
    // Rules
    case exclusionUnreachable = "exclusion-unreachable"
    case ruleUnreachable = "rule-unreachable"
    case ruleRedundant = "rule-redundant"
    case everythingExcluded = "everything-excluded"
    case catchAllBefore = "catch-all-before"
    case exclusionMissing = "exclusion-missing"
    case linkNotOpened = "link-not-opened"
    case queryInPath = "query-in-path"
    case fragmentInPath = "fragment-in-path"
    case notInComponent = "not-in-component"
    case notMalformed = "not-malformed"
    case pathWithoutSlash = "path-without-slash"
    case starWithoutSlash = "star-without-slash"
    case doubleSlash = "double-slash"
    case patternNotEncoded = "pattern-not-encoded"
    case escapeInDecoded = "escape-in-decoded"
    case escapeInSmallLetters = "escape-in-small-letters"
    case exclusionDecoded = "exclusion-decoded"
    case queryValueType = "query-value-type"
    case queryDemandsNothing = "query-demands-nothing"
    case defaultsExclude = "defaults-exclude"
    case defaultsPattern = "defaults-pattern"
    // Variables
    case variableUndefined = "variable-undefined"
    case variableOpen = "variable-open"
    case variableName = "variable-name"
    case variableNested = "variable-nested"
    case variableEmpty = "variable-empty"
    case variablePredefined = "variable-predefined"
    case variableUnused = "variable-unused"
    // Asset links
    case statementsMissing = "statements-missing"
    case statementIncomplete = "statement-incomplete"
    case relationShape = "relation-shape"
    case relationUnknown = "relation-unknown"
    case relationMissing = "relation-missing"
    case namespaceUnknown = "namespace-unknown"
    case packageShape = "package-shape"
    case fingerprintMissing = "fingerprint-missing"
    case fingerprintShape = "fingerprint-shape"
    case fingerprintCase = "fingerprint-case"
    case fingerprintSHA1 = "fingerprint-sha1"
    case fingerprintBase64 = "fingerprint-base64"
    case fingerprintRepeated = "fingerprint-repeated"
    case siteShape = "site-shape"
    case sitePort = "site-port"
    case includeMixed = "include-mixed"
    case includeInsecure = "include-insecure"
    case includeTooMany = "include-too-many"
    case dynamicMalformed = "dynamic-malformed"
    case dynamicRepeated = "dynamic-repeated"
    case dynamicUnreachable = "dynamic-unreachable"
    case dynamicOpenEnd = "dynamic-open-end"
    case dynamicMember = "dynamic-member"
    case dynamicParent = "dynamic-parent"
    // Fetching
    case fetchName = "fetch-name"
    case fetchAddress = "fetch-address"
    case fetchConnection = "fetch-connection"
    case fetchTLS = "fetch-tls"
    case fetchTLSChain = "fetch-tls-chain"
    case fetchTLSName = "fetch-tls-name"
    case fetchTLSExpired = "fetch-tls-expired"
    case fetchScheme = "fetch-scheme"
    case fetchRedirect = "fetch-redirect"
    case fetchStatus = "fetch-status"
    case fetchBlocked = "fetch-blocked"
    case fetchTypeHTML = "fetch-type-html"
    case fetchType = "fetch-type"
    case fetchLocations = "fetch-locations"
    case fetchOneLocation = "fetch-one-location"
    case fetchSlow = "fetch-slow"
    case fetchCDN = "fetch-cdn"
}

extension LintRule {
    package var severity: LintSeverity {
        switch self {
        case .jsonByteOrderMark, .jsonRepeatedMember, .fileLarge, .fileExtension, .budgetExceeded, .memberMisspelt,
            .noService, .detailsByApp, .detailsMissing, .appsNotEmpty, .appIDIgnored, .appRepeated,
            .appIDPrefixLength, .rulesMixed, .rulesEmpty, .ruleUnreachable, .everythingExcluded,
            .exclusionMissing, .pathWithoutSlash, .starWithoutSlash, .doubleSlash, .escapeInDecoded,
            .escapeInSmallLetters, .exclusionDecoded, .queryDemandsNothing, .defaultsPattern,
            .variableEmpty, .variablePredefined, .relationMissing, .sitePort, .includeTooMany,
            .dynamicUnreachable, .dynamicMember, .fetchType, .fetchLocations, .fetchSlow:
            .warning
        case .fileSigned, .findingsOmitted, .memberUnknown, .ruleRedundant, .catchAllBefore, .variableUnused,
            .relationUnknown, .fingerprintRepeated, .dynamicOpenEnd, .dynamicParent, .fetchOneLocation,
            .fetchCDN:
            .note
        default:
            .error
        }
    }
}
