import WaymarkBytes
import WaymarkTLS

/// What the provider sends the browser back with (OpenID Connect Core sections 3.1.2.5 and 3.1.2.6, RFC 9207).
package struct OpenIDCallback: Sendable {
    /// Bytes of the query.
    package static let sizeLimit = 16_384

    private let values: [String: String]

    /// - Parameter query: as in the URL, percent-encoded, without the question mark.
    package init(query: String) throws(OpenIDFailure) {
        guard query.utf8.count <= Self.sizeLimit else { throw .unreadableCallback }
        var values: [String: String] = [:]
        for field in query.split(separator: "&") {
            let halves = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentEncoding.decodeText(halves[0], plusIsSpace: true) else { continue }
            guard ["code", "state", "iss", "error"].contains(name) else { continue }
            // Twice would let two readers see two answers (RFC 6749 section 3.1).
            guard halves.count == 2, values[name] == nil,
                let value = PercentEncoding.decodeText(halves[1], plusIsSpace: true)
            else { throw .unreadableCallback }
            values[name] = value
        }
        self.values = values
    }

    /// By which the caller finds the attempt, if it does not remember it for the browser.
    package var state: String? { values["state"] }

    /// The code, if this is the provider's answer to the attempt.
    func code(for attempt: OpenIDAttempt, _ metadata: OpenIDMetadata, issuer: String) throws(OpenIDFailure) -> String {
        guard let state, ConstantTime.areEqual(Array(state.utf8), Array(attempt.state.utf8)) else { throw .state }
        switch values["iss"] {
        case let given?:
            guard given.utf8.elementsEqual(issuer.utf8) else { throw .callbackIssuer }
        case nil:
            guard !metadata.namesIssuer else { throw .callbackIssuer }
        }
        if let error = values["error"] { throw Self.failure(error) }
        guard let code = values["code"], !code.isEmpty else { throw .unreadableCallback }
        return code
    }

    private static func failure(_ code: String) -> OpenIDFailure {
        switch code {
        case "access_denied", "login_required", "consent_required", "interaction_required",
            "account_selection_required":
            .denied
        case "server_error", "temporarily_unavailable": .providerError(code)
        default: .requestRefused(errorCode(code))
        }
    }

    /// A word of RFC 6749 for logs; another text might be anything.
    static func errorCode(_ text: String) -> String {
        let isWord = (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { $0.isLowerLetter || $0 == 0x5F }
        return isWord ? text : "that the standard does not define"
    }
}
