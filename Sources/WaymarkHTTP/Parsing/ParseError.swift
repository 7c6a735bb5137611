/// The reasons for rejecting a request head or body, with the message to the client.
///
/// The connection is closed after any of them: the start of the next request is unknown (RFC 9112 section 9.6).
enum ParseError: UInt8, CaseIterable {
    case tooManyEmptyLines, bareLineFeed, bareCarriageReturn, malformedMethod, malformedTarget, malformedVersion
    case malformedRequestLine, fragmentInTarget, malformedPercentEncoding, nulInPath, asteriskTarget, unknownScheme
    case malformedAuthority, userInformation, unsupportedVersion, unknownMethod, forbiddenMethod, requestLineTooLong
    case foldedField, emptyFieldName, malformedFieldName, malformedFieldValue, fieldTooLong, sectionTooLong
    case tooManyFields, missingHost, repeatedHost, malformedHost, malformedContentLength, repeatedContentLength
    case lengthAndTransferEncoding, transferEncodingInOldVersion, repeatedTransferEncoding, malformedTransferEncoding
    case unknownTransferEncoding, unknownExpectation
    case malformedChunkSize, malformedChunkExtension, chunkExtensionsTooLong, malformedChunkEnd, malformedTrailer
    case trailersTooLong, bodyTooLarge

    var status: Status {
        switch self {
        case .unsupportedVersion: .httpVersionNotSupported
        case .unknownMethod, .unknownTransferEncoding: .notImplemented
        case .forbiddenMethod: .methodNotAllowed
        case .requestLineTooLong: .uriTooLong
        case .fieldTooLong, .sectionTooLong, .tooManyFields: .requestHeaderFieldsTooLarge
        case .unknownExpectation: .expectationFailed
        case .bodyTooLarge: .contentTooLarge
        default: .badRequest
        }
    }

    var detail: StaticString {
        switch self {
        case .tooManyEmptyLines: "Too many empty lines ahead of the request line."
        case .bareLineFeed: "A line ends with a bare line feed instead of CRLF."
        case .bareCarriageReturn: "A carriage return stands without the line feed that must follow it."
        case .malformedMethod: "The request line does not start with a method."
        case .malformedTarget: "The request target holds a character that must be percent-encoded."
        case .malformedVersion: "The request line does not end with an HTTP version."
        case .malformedRequestLine:
            "The request line is not a method, a target and a version, one space apart."
        case .fragmentInTarget: "The request target has a fragment."
        case .malformedPercentEncoding: "The path holds a percent sign without two hexadecimal digits behind it."
        case .nulInPath: "The path holds an encoded NUL character."
        case .asteriskTarget: "The target * is for OPTIONS only."
        case .unknownScheme: "The request target is neither a path nor an http or https URL."
        case .malformedAuthority: "The request target does not name a valid host and port."
        case .userInformation: "The request target holds user information."
        case .unsupportedVersion: "Only HTTP/1.1 and HTTP/1.0 are spoken here."
        case .unknownMethod: "The method is not known here."
        case .forbiddenMethod: "The method is not allowed here."
        case .requestLineTooLong: "The request line is too long."
        case .foldedField: "A line of the header section starts with white space."
        case .emptyFieldName: "A field has no name."
        case .malformedFieldName:
            "A field name holds a character that is not allowed, or no colon follows it."
        case .malformedFieldValue: "A field value holds a control character."
        case .fieldTooLong: "A field is too long."
        case .sectionTooLong: "The header section is too long."
        case .tooManyFields: "The header section has too many fields."
        case .missingHost: "The Host field is missing."
        case .repeatedHost: "The Host field is given more than once."
        case .malformedHost: "The Host field is not a valid host and port."
        case .malformedContentLength: "The Content-Length field is not a number."
        case .repeatedContentLength: "The Content-Length field is given more than once."
        case .lengthAndTransferEncoding: "Content-Length and Transfer-Encoding are both given."
        case .transferEncodingInOldVersion: "Transfer-Encoding is given in an HTTP/1.0 request."
        case .repeatedTransferEncoding: "The Transfer-Encoding field is given more than once."
        case .malformedTransferEncoding:
            "Transfer-Encoding does not end with a single chunked."
        case .unknownTransferEncoding: "No transfer coding but chunked is understood here."
        case .unknownExpectation: "No expectation but 100-continue is understood here."
        case .malformedChunkSize: "A chunk size is not a hexadecimal number followed by CRLF."
        case .malformedChunkExtension: "A chunk extension is malformed."
        case .chunkExtensionsTooLong: "The chunk extensions, or the leading zeros of chunk sizes, are too long."
        case .malformedChunkEnd: "A chunk is not followed by CRLF."
        case .malformedTrailer: "A trailer field is malformed."
        case .trailersTooLong: "The trailer section is too long."
        case .bodyTooLarge: "The body is too large."
        }
    }
}

/// The names of the reasons in metrics: the parser's, and a few of the server's.
package enum ParseErrorReason {
    /// In the order of their numbers: `bare_line_feed` and so on.
    package static let names =
        ParseError.allCases.map { name(of: $0) } + ["timeout", "misdirected", "overload", "other"]

    /// The number of the reason for a rejection.
    ///
    /// - Parameter detail: from `RequestParser.Outcome.reject`, or a sentence of the server itself.
    package static func number(of status: Status, detail: StaticString) -> Int {
        let parsers = ParseError.allCases.count
        // unsafe because it compares pointers without reading through them. Each sentence occurs in the program once.
        if let index = ParseError.allCases.firstIndex(where: { unsafe $0.detail.utf8Start == detail.utf8Start }) {
            return index
        }
        return switch status.code {
        case 408: parsers
        case 421: parsers + 1
        case 503: parsers + 2
        default: parsers + 3
        }
    }

    /// `bareLineFeed` becomes `bare_line_feed`.
    private static func name(of refusal: ParseError) -> String {
        var name = ""
        for character in String(describing: refusal) {
            if character.isUppercase { name += "_" }
            name += character.lowercased()
        }
        return name
    }
}
