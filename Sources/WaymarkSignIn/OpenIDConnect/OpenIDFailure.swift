/// Why a sign-in by a provider failed. No case holds a token, a code or a secret.
package enum OpenIDFailure: Error, Sendable, Equatable {
    /// Whose turn it is.
    package enum Kind: Sendable {
        /// The provider's: it can't be reached or is out of order. Later may work.
        case away
        /// An operator's, here or there: something does not fit together.
        case wrong
        /// The person's: to begin again, or to ask for access.
        case refused
    }

    package enum Document: String, Sendable {
        case discovery = "discovery document"
        case keys = "key set"
        case tokens = "token response"
    }

    // MARK: Away
    /// With the client's sentence, which names the host.
    case unreachable(String)
    case unavailable(Document, status: Int)
    /// The provider answered the browser with one of its own errors, a word of RFC 6749.
    case providerError(String)

    // MARK: Wrong
    /// A URL of the provider leads where this program may not connect.
    case address(String)
    case status(Document, Int)
    case unreadable(Document)
    /// The discovery document is that of another issuer.
    case otherIssuer
    /// A URL that is missing or not https.
    case endpoint(String)
    case noClientAuthentication
    /// The client's id or secret.
    case clientRefused
    /// An error of RFC 6749 that the request itself caused.
    case requestRefused(String)
    case unreadableCallback
    case callbackIssuer
    case token(IDTokenProblem)

    // MARK: Refused
    case denied
    /// The answer belongs to no sign-in of this browser.
    case state
    /// The code was used already or is too old.
    case code

    package var kind: Kind {
        switch self {
        case .unreachable, .unavailable, .providerError: .away
        case .address, .status, .unreadable, .otherIssuer, .endpoint, .noClientAuthentication, .clientRefused,
            .requestRefused, .unreadableCallback, .callbackIssuer, .token:
            .wrong
        case .denied, .state, .code: .refused
        }
    }

    /// For the person, in one sentence.
    package var sentence: String {
        switch self {
        case .denied: "The sign-in service did not let you in; ask its administrators for access."
        case .state: "This sign-in was begun in another browser or too long ago; begin again."
        case .code: "This sign-in was completed already or took too long; begin again."
        case _ where kind == .away:
            "The sign-in service can't be reached at the moment; try again in a few minutes, or sign in in another way."
        default:
            "The sign-in service and this site don't fit together; tell an administrator, who finds the reason in the log."
        }
    }

    /// For the log and for operators: one line, without a full stop.
    package var reason: String {
        switch self {
        case .unreachable(let sentence): sentence
        case .unavailable(let document, let status):
            "the provider answers \(status) instead of its \(document.rawValue)"
        case .providerError(let code): "the provider reports the error \(code)"
        case .address(let sentence): sentence
        case .status(let document, let status):
            "the provider answers \(status) instead of its \(document.rawValue); check \"issuer\""
        case .unreadable(let document): "the provider's \(document.rawValue) can't be read"
        case .otherIssuer:
            "the discovery document is of another issuer; \"issuer\" must be exactly the text that the provider uses"
        case .endpoint(let name): "the discovery document has no https URL as \(name)"
        case .noClientAuthentication:
            "the provider takes the client's secret neither by client_secret_basic nor by client_secret_post"
        case .clientRefused: "the provider does not accept the client's id or secret; check \"clientID\" and the secret"
        case .requestRefused(let code): "the provider refuses the request with the error \(code)"
        case .unreadableCallback: "the provider sent the browser back without a code and without an error"
        case .callbackIssuer: "another provider sent the browser back"
        case .token(let problem): "the ID token is refused: \(problem.reason)"
        case .denied: "the provider did not let the person in"
        case .state: "the answer belongs to no sign-in of this browser"
        case .code: "the provider does not accept the code, which was used or is too old"
        }
    }
}

/// Why an ID token is refused.
package enum IDTokenProblem: Error, Sendable, Equatable, CaseIterable {
    case missing, tooLarge, malformed, algorithm, unknownKey, signature, issuer, audience, authorizedParty, expired
    case notYetValid, issuedLater, nonce, accessToken, subject

    package var reason: String {
        switch self {
        case .missing: "there is none; \"openid\" must be among the scopes that the provider grants"
        case .tooLarge: "it has more than \(IDToken.sizeLimit) bytes; let the provider send fewer claims"
        case .malformed: "it is not a signed JSON Web Token with the claims that the standard requires"
        case .algorithm: "its algorithm is not one of RS256, PS256, ES256, ES384, EdDSA"
        case .unknownKey: "its key is not in the provider's key set"
        case .signature: "its signature is wrong"
        case .issuer: "it is of another issuer"
        case .audience: "it is for another client; check \"clientID\""
        case .authorizedParty: "it was issued to another client"
        case .expired: "it has expired; compare the clocks of both servers"
        case .notYetValid: "it is not valid yet; compare the clocks of both servers"
        case .issuedLater: "it was issued in the future; compare the clocks of both servers"
        case .nonce: "it belongs to another sign-in"
        case .accessToken: "it does not belong to the access token beside it"
        case .subject: "its subject is missing, or not 1 to 255 characters of ASCII"
        }
    }
}
