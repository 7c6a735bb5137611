extension LintRule {
    /// The source of the rule: the platform owner's documentation, the published output of its tools, or a standard.
    package var source: String {
        switch self {
        case .jsonEmpty, .jsonHTML, .jsonComment, .jsonSyntax:
            "RFC 8259"
        case .jsonUTF16, .jsonNotUTF8, .jsonByteOrderMark:
            "RFC 8259, section 8.1"
        case .jsonCompressed:
            "RFC 9110, section 8.4"
        case .jsonCurlyQuote, .jsonSingleQuote, .jsonOpenString, .jsonControlCharacter, .jsonEscape:
            "RFC 8259, section 7"
        case .jsonTrailingComma, .jsonExtraComma, .jsonMissingComma, .jsonMissingBracket, .jsonExtraBracket:
            "RFC 8259, sections 4 and 5"
        case .jsonNotOutside, .fileSigned, .fileTooLarge, .fileLarge, .detailsByApp, .appsNotEmpty,
            .ruleRedundant, .queryInPath, .notMalformed, .fetchTypeHTML, .fetchType:
            "Apple, Support Universal Links"
        case .jsonWord:
            "RFC 8259, section 3"
        case .jsonInvisible, .jsonMoreText:
            "RFC 8259, section 2"
        case .jsonTooDeep:
            "RFC 8259, section 9"
        case .jsonRepeatedMember:
            "RFC 8259, section 4"
        case .fileExtension, .noService, .appIDShape, .appIDPlaceholder, .appIDStoreNumber,
            .appIDWithoutPrefix, .appIDWildcard, .appIDPrefixLength, .fetchTLS, .fetchTLSChain,
            .fetchTLSName, .fetchTLSExpired, .fetchScheme, .fetchLocations, .fetchOneLocation:
            "Apple, Supporting associated domains"
        case .budgetExceeded, .findingsOmitted:
            "Waymark, Bounds on work"
        case .rootType:
            "Apple, Supporting associated domains; Google, Digital Asset Links"
        case .wrongType, .memberUnknown, .memberMisspelt, .detailsMissing:
            "Apple, applinks"
        case .appMissing, .appRepeated, .rulesMissing, .rulesEmpty, .catchAllBefore:
            "Apple, applinks.Details"
        case .appIDsEmpty:
            "Apple, applinks.Details; output of swcutil"
        case .appIDIgnored, .escapeInDecoded, .escapeInSmallLetters, .exclusionDecoded, .queryValueType,
            .defaultsExclude, .defaultsPattern:
            "Output of swcutil"
        case .rulesMixed:
            "Apple, TN3155; WWDC 2019, session 717"
        case .exclusionUnreachable, .ruleUnreachable, .everythingExcluded, .fragmentInPath, .notInComponent,
            .pathWithoutSlash, .starWithoutSlash, .doubleSlash:
            "Apple, applinks.Details.Components"
        case .exclusionMissing, .linkNotOpened:
            "Waymark"
        case .patternNotEncoded:
            "Apple, applinks.Details.Components; output of swcutil"
        case .queryDemandsNothing:
            "WWDC 2019, session 717; output of swcutil"
        case .variableUndefined, .variableOpen, .variableName, .variableNested, .variableEmpty,
            .variablePredefined, .variableUnused:
            "Apple, applinks.SubstitutionVariables"
        case .statementsMissing, .statementIncomplete, .relationShape, .namespaceUnknown,
            .fingerprintMissing, .fingerprintShape, .fingerprintSHA1, .fingerprintBase64,
            .fingerprintRepeated, .siteShape, .sitePort, .includeMixed, .includeInsecure, .includeTooMany:
            "Google, Digital Asset Links"
        case .relationUnknown:
            "Google, Relation strings"
        case .relationMissing, .dynamicMalformed, .dynamicRepeated, .dynamicUnreachable, .dynamicOpenEnd,
            .dynamicMember:
            "Google, Configure website associations"
        case .packageShape:
            "Android, application id"
        case .fingerprintCase:
            "Google, compatibility tests 2310 to 2314"
        case .dynamicParent:
            "Derived from Google's wording"
        case .fetchName:
            "RFC 1034"
        case .fetchAddress:
            "Output of Apple's CDN: SWCERR00202"
        case .fetchConnection, .fetchBlocked, .fetchCDN:
            "Apple, TN3155"
        case .fetchRedirect, .fetchStatus:
            "Apple, TN3155; Google, Digital Asset Links"
        case .fetchSlow:
            "Output of Apple's CDN: SWCERR00301"
        }
    }

    /// The fix, if it is always the same; otherwise empty, and the finding contains it.
    var usualMend: String {
        switch self {
        case .jsonNotUTF8:
            "Save the file as UTF-8."
        case .jsonByteOrderMark:
            "Save the file as UTF-8 without a byte order mark."
        case .jsonCurlyQuote:
            "Write \" with an editor for plain text."
        case .jsonSingleQuote:
            "Write \"."
        case .jsonOpenString:
            "Close the string with \"."
        case .jsonControlCharacter:
            "Write it as an escape, such as \\t, or take it out."
        case .jsonEscape:
            "Write \\\\ for a backslash; nothing in a pattern can be escaped."
        case .jsonComment:
            "Take it out; a rule may have a member \"comment\"."
        case .jsonTrailingComma, .jsonExtraComma:
            "Take the comma out."
        case .jsonMissingComma:
            "Put a comma there."
        case .jsonMissingBracket:
            "Close what is open."
        case .jsonExtraBracket, .dynamicMember:
            "Take it out."
        case .jsonNotOutside, .notMalformed:
            "Write \"NOT /path\"."
        case .jsonWord:
            "Write true, false or null in small letters."
        case .jsonInvisible:
            "Delete it and type a space."
        case .jsonMoreText:
            "Take out what follows, or make one document of both."
        case .jsonTooDeep:
            "Write a flatter file."
        case .jsonSyntax:
            "Compare the place with an example of the documentation."
        case .jsonRepeatedMember:
            "Keep one of them."
        case .fileTooLarge, .fileLarge:
            "Write fewer or wider rules; one pattern with * or a variable stands for many."
        case .budgetExceeded:
            "Write fewer rules, shorter patterns or fewer values of variables."
        case .findingsOmitted:
            "Mend what is listed, then check again."
        case .fileExtension:
            "Name it apple-app-site-association, without .json."
        case .rootType:
            "Wrap it: { … } for Apple, [ … ] for Android."
        case .memberUnknown:
            "Take it out, or check its name."
        case .noService:
            "Add applinks, webcredentials, appclips or activitycontinuation."
        case .detailsByApp:
            "Write an array of objects, each with appIDs and components."
        case .detailsMissing:
            "Add details with an entry for each app."
        case .appsNotEmpty:
            "Write \"apps\": [], or leave it out."
        case .appMissing:
            "Add appIDs."
        case .appIDsEmpty:
            "Name the apps in appIDs."
        case .appIDIgnored:
            "Keep appIDs, and see that it names the app; put what is for iOS 12 into an entry of its own."
        case .appRepeated:
            "Make one entry of them."
        case .appIDShape:
            "Write it like ABCDE12345.com.example.app."
        case .appIDPlaceholder, .appIDStoreNumber:
            "Write your team's identifier, ten capitals and digits."
        case .appIDWithoutPrefix:
            "Put your team's identifier and a dot in front."
        case .appIDWildcard:
            "Name every app."
        case .appIDPrefixLength:
            "Compare it with the prefix in your developer account."
        case .rulesMixed:
            "Write an entry with appID and paths for iOS 12, and another with appIDs and components."
        case .rulesMissing:
            "Add components, for instance [{\"/\": \"/*\"}]."
        case .rulesEmpty:
            "Add a rule, for instance {\"/\": \"/*\"}."
        case .exclusionUnreachable:
            "Put the exclusion first."
        case .ruleUnreachable, .dynamicUnreachable:
            "Put it before the earlier one, or take it out."
        case .everythingExcluded:
            "Put exclusions of everything last, or take the entry out."
        case .exclusionMissing:
            "Exclude /_/*, /api/*, /*+, /*/qr.png and /*/qr.svg ahead of your own rules, or give no rules and let them be generated."
        case .linkNotOpened:
            "End the rules with {\"/\": \"/*\"} and exclude no links, or give no rules and let them be generated."
        case .queryInPath:
            "Write {\"/\": …, \"?\": {\"name\": \"value\"}} in components."
        case .fragmentInPath:
            "Write the fragment's pattern as \"#\" in components."
        case .notInComponent:
            "Write {\"/\": …, \"exclude\": true}."
        case .pathWithoutSlash:
            "Begin it with /."
        case .starWithoutSlash:
            "Write /name/*, which fits /name as well; or both /name and /name/*."
        case .doubleSlash:
            "Write one."
        case .patternNotEncoded:
            "Percent-encode them, or add \"percentEncoded\": false."
        case .escapeInDecoded:
            "Write the character itself."
        case .escapeInSmallLetters:
            "Write it with capitals."
        case .exclusionDecoded:
            "Exclude the path as written as well."
        case .queryValueType:
            "Write the value as a string."
        case .queryDemandsNothing:
            "Write ?* for an item with a value, or leave it out."
        case .defaultsExclude:
            "Write it in the rules that exclude."
        case .defaultsPattern:
            "Write it in the rules."
        case .variableOpen:
            "Close it: $(name)."
        case .variableName, .variablePredefined:
            "Choose another name."
        case .variableNested:
            "Write out what it stands for."
        case .variableEmpty:
            "Give it a value."
        case .statementsMissing:
            "Add a statement for each app."
        case .relationShape:
            "Write delegate_permission/common.handle_all_urls."
        case .relationUnknown:
            "Check its name."
        case .relationMissing:
            "Add delegate_permission/common.handle_all_urls for the app."
        case .namespaceUnknown:
            "Write android_app or web."
        case .packageShape:
            "Write it like com.example.app."
        case .fingerprintMissing:
            "Add the SHA-256 fingerprint of the signing certificate; with Play App Signing that is Google's."
        case .fingerprintSHA1:
            "Take the line SHA256 of keytool's output."
        case .siteShape:
            "Write it like https://www.example.com."
        case .sitePort:
            "Leave the port out."
        case .includeMixed:
            "Make two statements of it."
        case .includeInsecure:
            "Use an https URL."
        case .includeTooMany:
            "Write the statements into this file."
        case .dynamicRepeated:
            "Make one list of them."
        case .dynamicOpenEnd:
            "End with {\"/\": \"*\"} or {\"/\": \"*\", \"exclude\": true}."
        case .dynamicParent:
            "Add a rule for /x."
        case .fetchName:
            "Add it to the DNS, for everybody."
        case .fetchAddress:
            "Publish a public address."
        case .fetchConnection:
            "Let Apple's and Google's servers reach port 443, from everywhere."
        case .fetchTLS:
            "Speak TLS 1.2 or 1.3 on this port, with a certificate of a public authority that names the host."
        case .fetchTLSChain:
            "Use a certificate of a public authority, and send the certificates between it and the authority's."
        case .fetchTLSName:
            "Use a certificate that names the host."
        case .fetchTLSExpired:
            "Renew it, and have the server show the new one."
        case .fetchScheme:
            "Serve it over https."
        case .fetchRedirect:
            "Answer with the file itself at this address."
        case .fetchStatus:
            "Answer 200 to everybody, without a sign-in or a filter."
        case .fetchBlocked:
            "Let the user agents AASA-Bot and GoogleAssociationService through."
        case .fetchTypeHTML, .fetchType:
            "Send Content-Type: application/json."
        case .fetchLocations:
            "Serve the same file at both."
        case .fetchOneLocation:
            "Serve it at both."
        case .fetchSlow:
            "Serve the file from memory."
        default:
            ""
        }
    }
}
