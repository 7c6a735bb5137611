/// A question that neither documentation nor published observations answer. The simulator uses one reading, tries the
/// other one, and adds a warning if the results differ.
package enum Ambiguity: String, Sendable, Hashable, CaseIterable {
    // Matching a pattern with a URL.
    case trailingSlash, leadingMark, leadingVariable, slashRun, emptyPath
    case queryNameCase, encodedItems, encodedSeparator, malformedEscape, unencodedURL
    case utf16Units, graphemes, caseBeyondASCII
    case undefinedVariable, unclosedVariable, nestedVariable, redefinedVariable
    // The meaning of an invalid file.
    case wrongType, wrongExclude, wrongRule, wrongApps, defaultsForPaths, defaultQuery
    case noRules, detailsByApp, repeatedMember, exclusionOfOtherApp
    // The meaning of a URL.
    case port, userInformation
    // Android.
    case runBeforeWildcard, itemWithoutEquals, missingPath, unknownMember, ruleWithoutPattern, severalStatements

    /// The open question, with the reading used here and the other one.
    package var sentence: String {
        switch self {
        case .trailingSlash:
            "Whether slashes at the end are dropped (as here) or one is added to the path and to patterns that do not end in *"
        case .leadingMark:
            "Whether ? as a pattern's first character follows an unwritten slash (as here) or stands for it"
        case .leadingVariable:
            "Whether a variable at the start of a pattern follows an unwritten slash (as here) or begins the path itself"
        case .slashRun: "Whether several slashes at the start of a URL's path stay (as here) or count as one"
        case .emptyPath: "Whether an empty path pattern fits only the root (as here) or nothing"
        case .queryNameCase:
            "Whether caseSensitive false leaves the names of query items alone (as here) or folds them too"
        case .encodedItems: "Whether query items are compared as written (as here) or percent-decoded"
        case .encodedSeparator: "Whether a query is split before it is decoded (as here for iOS) or after"
        case .malformedEscape: "Whether a part that cannot be decoded is compared as written (as here) or fits nothing"
        case .unencodedURL:
            "Whether characters that no URL may hold are compared as written (as here) or percent-encoded first"
        case .utf16Units: "Whether ? counts Unicode scalars (as here) or UTF-16 units"
        case .graphemes:
            "Whether characters are compared scalar by scalar (as here) or as what people see as one character"
        case .caseBeyondASCII: "Whether caseSensitive false folds all letters (as here) or only those of ASCII"
        case .undefinedVariable: "Whether a variable that is not defined fits nothing (as here) or is literal text"
        case .unclosedVariable: "Whether $( without its bracket is literal text (as here) or fits nothing"
        case .nestedVariable:
            "Whether a variable inside of a variable's value is literal text (as here) or fits nothing"
        case .redefinedVariable: "Whether a file's own variable hides the predefined one of its name (as here) or not"
        case .wrongType: "Whether a member of a wrong JSON type is ignored (as here) or spoils its whole rule"
        case .wrongExclude: "Whether an exclude that is neither true nor false counts as false (as here) or as true"
        case .wrongRule: "Whether a rule of a wrong JSON type is ignored (as here) or spoils its whole entry"
        case .wrongApps: "What apps of a wrong JSON type come to: passed over here"
        case .defaultsForPaths: "Whether defaults leave paths alone (as here) or hold for them too"
        case .defaultQuery:
            "Whether a query dictionary with a wrong value is dropped for good (as here) or leaves the one in defaults"
        case .noRules: "Whether an entry with neither components nor paths opens nothing (as here) or everything"
        case .detailsByApp:
            "Whether today's systems still read details as an object with an entry for each app (as here)"
        case .repeatedMember: "Which of several members of one name counts: the last here"
        case .exclusionOfOtherApp: "Whether an exclusion holds for the apps of its entry alone (as here) or for all"
        case .port: "Whether a URL with a port can open an app: not here, because domain entries hold no port"
        case .userInformation: "Whether a URL with user information can open an app: passed over here"
        case .runBeforeWildcard: "Whether * directly before another wildcard takes nothing (as here) or backs off"
        case .itemWithoutEquals: "Whether a query item without = fits nothing (as here) or has an empty value"
        case .missingPath: "Whether a missing path is empty text (as here) or /"
        case .unknownMember:
            "Whether Android passes over a member it does not know (as here) or drops all dynamic rules"
        case .ruleWithoutPattern:
            "Whether a rule without a pattern fits every URL (as here) or makes Android drop all dynamic rules"
        case .severalStatements: "Which of several lists of dynamic rules for one app is used: the first here"
        }
    }

    /// Ambiguities that can change whether one of Apple's rules matches; tried for every rule.
    static let ofAppleMatching: [Ambiguity] = [
        .trailingSlash, .leadingMark, .leadingVariable, .slashRun, .emptyPath, .queryNameCase, .encodedItems,
        .encodedSeparator, .malformedEscape, .unencodedURL, .utf16Units, .graphemes, .caseBeyondASCII,
        .undefinedVariable, .unclosedVariable, .nestedVariable, .redefinedVariable,
    ]
}
