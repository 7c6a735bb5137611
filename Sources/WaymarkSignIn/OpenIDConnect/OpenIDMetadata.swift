import WaymarkJSON

/// What a provider says about itself (OpenID Connect Discovery section 3).
package struct OpenIDMetadata: Sendable, Equatable {
    /// How the client proves itself at the token endpoint.
    enum ClientAuthentication: Sendable, Equatable {
        /// A public client, by its id alone.
        case none
        case basic, post
    }

    package let authorizationEndpoint: String
    package let tokenEndpoint: String
    package let keySetURL: String
    /// Nil where the provider has no logout (RP-Initiated Logout section 2.1).
    package let endSessionEndpoint: String?
    /// Whether the provider names itself when it sends the browser back (RFC 9207).
    let namesIssuer: Bool
    let clientAuthentication: ClientAuthentication

    init(_ value: JSONValue, _ settings: OpenIDSettings) throws(OpenIDFailure) {
        guard value.object != nil, let issuer = value["issuer"]?.string else { throw .unreadable(.discovery) }
        guard issuer.utf8.elementsEqual(settings.issuer.utf8) else { throw .otherIssuer }
        func url(_ name: String) throws(OpenIDFailure) -> String {
            guard let url = value[name]?.string, settings.isEndpoint(url) else { throw .endpoint(name) }
            return url
        }
        authorizationEndpoint = try url("authorization_endpoint")
        tokenEndpoint = try url("token_endpoint")
        keySetURL = try url("jwks_uri")
        endSessionEndpoint = value["end_session_endpoint"] == nil ? nil : try url("end_session_endpoint")
        namesIssuer = value["authorization_response_iss_parameter_supported"]?.bool ?? false
        let methods = value["token_endpoint_auth_methods_supported"]?.array?.compactMap(\.string)
        if settings.clientSecret == nil {
            clientAuthentication = .none
        } else if methods?.contains("client_secret_basic") ?? true {
            clientAuthentication = .basic
        } else if methods?.contains("client_secret_post") == true {
            clientAuthentication = .post
        } else {
            throw .noClientAuthentication
        }
    }
}
