import WaymarkAPI
import WaymarkHTTP
import WaymarkJSON
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkStores

/// `GET /api/v1/people`.
enum PeopleListHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let people = try await site.service.people.list(for: call.reach)
        return .json(.ok, PersonResponse.list(people.map { PersonResponse($0) }))
    }
}

/// `POST /api/v1/people`.
enum PersonCreationHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let (body, shape) = PersonRequest.attempt(
            try ObjectReader.document(call.body, shape: PersonRequest.members.shape))
        guard let body else { throw Problem(invalid: shape) }
        var fields = PersonFields(call.reach, site)
        fields.check(name: body.name, email: body.email)
        let new = NewPerson(
            name: body.name, email: body.email, memberships: fields.memberships(body.memberships),
            identities: fields.identities(body.identities))
        try fields.finish(shape)
        let person = try PersonFields.person(try await site.service.people.make(new, for: call.reach))
        return .json(
            .created, PersonResponse(person).json, fields: HeaderFields().adding(location: Endpoint.person(person.id)))
    }
}

/// `GET /api/v1/people/{id}`.
enum PersonReadingHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        guard let person = try await site.service.people.find(call.parameters[0], for: call.reach) else {
            throw PersonFields.unknown
        }
        return .json(.ok, PersonResponse(person).json)
    }
}

/// `PATCH /api/v1/people/{id}`.
enum PersonPatchHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let (body, shape) = PersonPatchRequest.attempt(
            try ObjectReader.document(call.body, shape: PersonPatchRequest.members.shape))
        guard let body else { throw Problem(invalid: shape) }
        var fields = PersonFields(call.reach, site)
        fields.check(name: body.name, email: body.email ?? nil)
        var patch = PersonPatch()
        patch.name = body.name
        patch.email = body.email
        patch.isDisabled = body.disabled
        patch.memberships = body.memberships.map { fields.memberships($0) }
        patch.identities = body.identities.map { fields.identities($0) }
        patch.passkeys = body.passkeys.map { fields.passkeys($0) }
        try fields.finish(shape)
        let id = try PersonFields.id(call.parameters[0])
        let person = try PersonFields.person(try await site.service.people.change(id, patch, for: call.reach))
        return .json(.ok, PersonResponse(person).json)
    }
}

/// `DELETE /api/v1/people/{id}`: the person's sessions and keys are rejected from the response on.
enum PersonDeletionHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let id = try PersonFields.id(call.parameters[0])
        let outcome = try await site.service.people.delete(id, for: call.reach)
        if outcome != .deleted { _ = try PersonFields.person(outcome) }
        return .noContent
    }
}

/// `POST /api/v1/people:invite`: the only response with the token.
enum InvitationHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let (body, shape) = InvitationRequest.attempt(
            try ObjectReader.document(call.body, shape: InvitationRequest.members.shape))
        guard let body else { throw Problem(invalid: shape) }
        let made: (outcome: PersonOutcome, invitation: Invitation?)
        if let id = body.person {
            guard shape.isEmpty else { throw Problem(invalid: shape) }
            made = try await site.service.people.invite(try PersonFields.id(id), for: call.reach)
        } else {
            var fields = PersonFields(call.reach, site)
            fields.check(name: body.name, email: body.email)
            let application = body.app ?? call.reach.single?.text
            let membership = fields.membership(MembershipValue(app: application, role: body.role ?? ""))
            try fields.finish(shape)
            let new = NewPerson(
                name: body.name ?? "Invited person", email: body.email, memberships: membership.map { [$0] } ?? [])
            made = try await site.service.people.invite(new, for: call.reach)
        }
        let person = try PersonFields.person(made.outcome)
        guard let invitation = made.invitation else { throw PersonFields.unknown }
        let response = InvitationResponse(
            token: invitation.token.text, expiresAt: invitation.expiresAt.wholeSecond, person: PersonResponse(person),
            origin: call.peer.role == .owner ? site.operatorOrigin : "")
        return .json(.created, response.json)
    }
}

extension PersonResponse {
    init(_ person: Person) {
        self.init(
            id: person.id, name: person.name, email: person.email, disabled: person.isDisabled,
            memberships: person.memberships.map {
                MembershipValue(app: $0.application?.text, role: $0.role.rawValue)
            },
            identities: person.identities.map { IdentityValue(issuer: $0.issuer, subject: $0.subject) },
            passkeys: person.passkeys.map { PasskeyValue($0) }, createdAt: person.createdAt.wholeSecond,
            signedInAt: person.signedInAt?.wholeSecond)
    }
}
