import Logging
import WaymarkAPI
import WaymarkBytes
import WaymarkHTTP
import WaymarkServer
import WaymarkService
import WaymarkSignIn
import WaymarkStores

/// Sign-in by a provider: `/_/oidc` sends the browser there, `/_/oidc/callback` receives it. What goes wrong is a page without a
/// script for the person, and a line in the log without token, code or secret.
extension SessionRoute {
    private static let callbackPath = "/_/oidc/callback"

    func providerSignIn(_ head: RequestHead, _ bytes: Span<UInt8>, _ peer: Peer) -> Reply {
        guard let provider = site.options.provider else { return .now(.problem(Site.nowhere)) }
        guard PlainSignIn.isAllowed(head, bytes, peer, networks: site.options.plainNetworks) else {
            return .now(.problem(PlainSignIn.problem))
        }
        let invitation = QueryString(head.query?.copy(of: bytes)).all("invitation").first ?? ""
        // A token of another form is none, and would not fit into the cookie.
        guard invitation.utf8.count <= 255, invitation.utf8.allSatisfy({ $0.isAlphanumeric || $0 == UInt8(ascii: "_") })
        else {
            return .now(refusal(Self.unknownInvitation.detail, .forbidden, peer))
        }
        let attempt = OpenIDAttempt(redirectURI: Self.origin(head, bytes, peer) + Self.callbackPath)
        return .later {
            do throws(OpenIDFailure) {
                let url = try await provider.provider.authorizationURL(for: attempt)
                return Self.redirect(to: url, AttemptCookie(attempt, invitation: invitation).field(peer))
            } catch {
                return refusal(error, peer)
            }
        }
    }

    func providerCallback(_ head: RequestHead, _ bytes: Span<UInt8>, _ peer: Peer) -> Reply {
        guard let provider = site.options.provider else { return .now(.problem(Site.nowhere)) }
        guard PlainSignIn.isAllowed(head, bytes, peer, networks: site.options.plainNetworks) else {
            return .now(.problem(PlainSignIn.problem))
        }
        // Each answer asks the provider, and anybody can send one.
        if let seconds = site.callers.take(.failedAuthentication, peer) {
            return .now(.rateLimited(retryAfter: seconds))
        }
        let query = head.query.map { String(decoding: $0.copy(of: bytes), as: UTF8.self) } ?? ""
        let redirectURI = Self.origin(head, bytes, peer) + Self.callbackPath
        let known = AttemptCookie(head, bytes, peer, redirectURI: redirectURI)
        return .later {
            let identity: OpenIDIdentity
            do throws(OpenIDFailure) {
                guard let known else { throw .state }
                identity = try await provider.provider.identity(from: OpenIDCallback(query: query), known.attempt)
            } catch {
                // Not the sentence, which may have what the query says.
                await site.noteRefusal("The provider's answer was not accepted: \(error.kind).", peer)
                return refusal(error, peer)
            }
            do {
                let invitation = known?.invitation ?? ""
                let (secret, session) = try await AuditCall.$current.withValue(site.signInCall(peer)) {
                    try await signIn(identity, provider, invitation: invitation)
                }
                var fields = cookie(secret, session, peer)
                fields.append(AttemptCookie.removal(peer))
                return Self.redirect(to: "/_/", fields)
            } catch let problem as Problem where problem.known == .signInRefused {
                let reason = problem.detail
                site.logger.notice("a sign-in by the provider was refused: \(reason)")
                await site.noteRefusal(reason, peer)
                return refusal(reason, .forbidden, peer)
            } catch {
                return APIRoute.response(to: error, site)
            }
        }
    }

    // MARK: People

    private func signIn(
        _ account: OpenIDIdentity, _ provider: SignInProvider, invitation: String
    ) async throws -> (secret: KeyText, session: DashboardSession) {
        let keys = site.service.keys
        let identity = PersonIdentity(issuer: account.issuer, subject: account.subject)
        let outcome: PersonSignIn
        let known: Person
        if !invitation.isEmpty {
            guard let (id, person) = try await keys.invitation(Array(invitation.utf8)) else {
                throw Self.unknownInvitation
            }
            known = person
            outcome = try await keys.signIn(person.id, using: id, isByProvider: true) { person in
                var updated = person
                if !person.identities.contains(identity) {
                    guard person.identities.count < Person.identityLimit else { return nil }
                    updated.identities.append(identity)
                }
                return Self.updated(updated, by: account, provider.roles)
            }
        } else {
            known = try await person(identity, account, provider)
            outcome = try await keys.signIn(known.id, isByProvider: true) { person in
                person.identities.contains(identity) ? Self.updated(person, by: account, provider.roles) : nil
            }
        }
        switch outcome {
        case .started(let secret, let session): return (secret, session)
        case .refused:
            // The claim may have taken the last role, which then ends for the person's sessions and keys as well.
            if invitation.isEmpty, let left = Self.updated(known, by: account, provider.roles)?.memberships,
                left.isEmpty
            {
                var patch = PersonPatch()
                patch.memberships = left
                _ = try await site.service.people.change(known.id, patch, for: .all)
            }
            throw Self.noAccess
        case .taken: throw Problem(.signInRefused, "This account is another person's; sign in without the invitation.")
        case .unknown: throw Self.unknownInvitation
        }
    }

    private func person(
        _ identity: PersonIdentity, _ account: OpenIDIdentity, _ provider: SignInProvider
    ) async throws -> Person {
        let keys = site.service.keys
        if let known = keys.person(identity) { return known }
        // Another server may have added the person since.
        try await keys.refresh()
        if let known = keys.person(identity) { return known }
        let memberships = provider.roles?.memberships([], by: account) ?? []
        guard provider.createsPeople, !memberships.isEmpty else {
            throw Problem(
                .signInRefused,
                "Your account is known to the sign-in service, but to nobody here. Ask an administrator for an invitation."
            )
        }
        let new = NewPerson(
            name: Self.cut(account.name ?? "Invited person", Person.nameLimit),
            email: account.email.flatMap { $0.utf8.count <= Person.emailLimit ? $0 : nil }, memberships: memberships,
            identities: [identity])
        guard case .done(let person) = try await site.service.people.make(new, for: .all) else { throw Self.noAccess }
        return person
    }

    /// The person with the roles that the claim gives.
    private static func updated(_ person: Person, by account: OpenIDIdentity, _ roles: ProviderRoles?) -> Person? {
        guard let roles else { return person }
        var updated = person
        updated.memberships = roles.memberships(person.memberships, by: account)
        return updated.memberships.count <= Person.membershipLimit ? updated : nil
    }

    private static func cut(_ text: String, _ limit: Int) -> String {
        var cut = ""
        for character in text where cut.utf8.count + character.utf8.count <= limit { cut.append(character) }
        return cut
    }

    // MARK: Responses

    static func origin(_ head: RequestHead, _ bytes: Span<UInt8>, _ peer: Peer) -> String {
        let port = head.port.map { ":\($0)" } ?? ""
        return (peer.isSecure ? "https://" : "http://") + head.host.text(in: bytes).lowercased() + port
    }

    private static func redirect(to url: String, _ fields: HeaderFields) -> Response {
        var all = HeaderFields((.cacheControl, "no-store")).adding(location: url)
        all.append(fields)
        return Response(Status(303), fields: all)
    }

    private func refusal(_ failure: OpenIDFailure, _ peer: Peer) -> Response {
        site.logger.notice("a sign-in by the provider failed: \(failure.reason)")
        return refusal(failure.sentence, failure.kind == .away ? .serviceUnavailable : .forbidden, peer)
    }

    private func refusal(_ sentence: String, _ status: Status, _ peer: Peer) -> Response {
        let page = Page(
            language: .english, title: "Sign-in",
            content: """
                <article class="card">
                <h1>You are not signed in</h1>
                <p class="soft">\(sentence)</p>
                <div class="choices"><p><a class="button" href="/_/">Back</a></p></div>
                </article>
                """)
        return .page(status, page, fields: AttemptCookie.removal(peer))
    }
}
