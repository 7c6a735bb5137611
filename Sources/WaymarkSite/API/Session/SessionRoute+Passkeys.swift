import WaymarkAPI
import WaymarkHTTP
import WaymarkJSON
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkSignIn
import WaymarkStores

/// Passkeys: `/_/session/options`, `/_/passkeys/options` and `/_/passkeys`. No challenge is stored; one that is not younger than the
/// last use of its passkey was answered already.
extension SessionRoute {
    /// An attestation that a browser was not asked for may have certificates.
    private static let registrationLimit = 65_536

    /// The site that passkeys are of: the host of the address in the browser. Nil where browsers have none.
    static func passkeySite(_ head: RequestHead, _ bytes: Span<UInt8>, _ peer: Peer) -> PasskeySite? {
        PasskeySite(
            isSecure: peer.isSecure, host: head.host.text(in: bytes).lowercased(), port: head.port.map { Int($0) },
            name: "Waymark")
    }

    func signInOptions(_ head: RequestHead, _ bytes: Span<UInt8>, _ peer: Peer) -> Reply {
        guard PlainSignIn.isAllowed(head, bytes, peer, networks: site.options.plainNetworks) else {
            return .now(.problem(PlainSignIn.problem))
        }
        let host = Self.passkeySite(head, bytes, peer)
        return .later {
            await run(peer) {
                let host = try Self.existing(host)
                let challenge = try await challenges().challenge(for: .signIn, now: site.now.rawValue)
                return .json(.ok, PasskeyOptions.request(challenge, host).bytes())
            }
        }
    }

    func passkeyOptions(_ head: RequestHead, _ bytes: Span<UInt8>, _ peer: Peer) -> Reply {
        registration(head, bytes, peer) { request, host, person, _ in
            let challenge = try await challenges().challenge(
                for: .registration(person: person.id), now: site.now.rawValue)
            let user = PasskeyOptions.User(
                id: Array(person.id.utf8), name: person.email ?? person.name, displayName: person.name)
            let existing = person.passkeys.map(\.id)
            return .json(.ok, PasskeyOptions.creation(challenge, host, for: user, existing: existing).bytes())
        }
    }

    func newPasskey(_ head: RequestHead, _ bytes: Span<UInt8>, _ peer: Peer) -> Reply {
        registration(head, bytes, peer, registers: true) { request, host, person, used in
            let new: PasskeyCredential
            do {
                let answer = try PasskeyRegistration(Self.value(request.credential))
                _ = try await time(of: answer.challenge, for: .registration(person: person.id))
                new = try answer.verify(challenge: answer.challenge, site: host)
            } catch let refusal as PasskeyRefusal {
                throw Problem(.signInRefused, refusal.sentence)
            }
            let outcome = try await site.service.keys.signIn(
                person, using: used, registering: (new.id, new.publicKey, new.signatureCount))
            switch outcome {
            case .started(let secret, let session):
                var response = Self.description(session, .created)
                response.fields.append(cookie(secret, session, peer))
                return response
            case .taken: throw Problem(.signInRefused, "The passkey is registered already; sign in with it.")
            case .unknown: throw request.invitation == nil ? Self.signedOut : Self.unknownInvitation
            case .refused: throw Self.noAccess
            }
        }
    }

    /// A session of a passkey's holder.
    func signIn(
        _ credential: RawJSON, _ host: PasskeySite?, _ peer: Peer
    ) async throws -> (secret: KeyText, session: DashboardSession) {
        let host = try Self.existing(host)
        do {
            let answer = try PasskeyAssertion(Self.value(credential))
            let time = try await time(of: answer.challenge, for: .signIn)
            guard let (person, passkey) = try await site.service.keys.lookUpHolder(ofPasskey: answer.credentialID)
            else { throw PasskeyRefusal.unknownCredential }
            let stored = PasskeyCredential(
                id: passkey.id, publicKey: passkey.publicKey, signatureCount: passkey.signCount)
            let count = try answer.verify(
                stored, of: Array(person.id.utf8), challenge: answer.challenge, site: host)
            let outcome = try await site.service.keys.signIn(
                person, with: passkey, signCount: count, challenged: Timestamp(rawValue: time))
            guard case .started(let secret, let session) = outcome else { throw Self.noAccess }
            return (secret, session)
        } catch let refusal as PasskeyRefusal {
            throw Problem(.signInRefused, refusal.sentence)
        }
    }

    // MARK: Support

    /// Answers a body about a person's new passkey: the person of an invitation, else of the session.
    private func registration(
        _ head: RequestHead, _ bytes: Span<UInt8>, _ peer: Peer, registers: Bool = false,
        _ answer:
            @escaping @Sendable (PasskeyRequest, PasskeySite, Person, _ used: String) async throws -> Response
    ) -> Reply {
        do throws(Problem) {
            try check(head, bytes, peer)
        } catch {
            return .now(.problem(error))
        }
        let host = Self.passkeySite(head, bytes, peer)
        let secret = SessionCookie.secret(head, bytes, peer, plainNetworks: site.options.plainNetworks)
        let problem = SessionCookie.problem(head, bytes, peer)
        return .body(limit: Self.registrationLimit, .any) { body in
            await run(peer) {
                let request = try PasskeyRequest(json: body, registers: registers)
                let host = try Self.existing(host)
                let keys = site.service.keys
                if let token = request.invitation {
                    guard let (id, person) = try await keys.invitation(Array(token.utf8)) else {
                        if let seconds = site.callers.take(.failedAuthentication, peer) {
                            return .rateLimited(retryAfter: seconds)
                        }
                        throw Self.unknownInvitation
                    }
                    return try await answer(request, host, person, id)
                }
                if let problem { throw problem }
                guard let secret, let session = try await session(secret), let person = session.person,
                    let used = session.key.sessionID
                else { throw Self.signedOut }
                guard person.passkeys.count < Person.passkeyLimit else {
                    throw Problem(
                        .signInRefused, "You have \(Person.passkeyLimit) passkeys already; have one removed first.")
                }
                return try await answer(request, host, person, used)
            }
        }
    }

    private func session(_ secret: [UInt8]) async throws -> DashboardSession? {
        if let known = site.service.keys.session(secret) { return known }
        guard site.service.keys.mayBeNew(secret) else { return nil }
        return try await site.service.keys.lookUpSession(secret)
    }

    private func challenges() async throws(StoreError) -> PasskeyChallenges {
        PasskeyChallenges(key: try await site.service.passkeySecret())
    }

    private func time(
        of challenge: PasskeyChallenge, for purpose: PasskeyChallenges.Purpose
    ) async throws -> Int64 {
        try await challenges().time(of: challenge, for: purpose, now: site.now.rawValue)
    }

    private static func value(_ credential: RawJSON?) -> JSONValue {
        (credential?.bytes).flatMap { try? JSONValue(parsing: $0) } ?? .null
    }

    private static func existing(_ host: PasskeySite?) throws(Problem) -> PasskeySite {
        guard let host else {
            throw Problem(
                .signInRefused,
                "Browsers have passkeys at names over https only, and at http://localhost; open one of these addresses."
            )
        }
        return host
    }

    static let unknownInvitation = Problem(
        .signInRefused, "The invitation is unknown, used or expired; ask an administrator for a new one.")
}
