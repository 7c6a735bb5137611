import WaymarkAPI
import WaymarkBytes
import WaymarkLinks
import WaymarkService
import WaymarkStores

/// Reads what requests say of a person, and collects what is wrong with it.
struct PersonFields {
    private static let issuerBytes = 1_000
    private static let subjectBytes = 255

    private let reach: ApplicationReach
    private let site: Site
    private var problems: [FieldProblem] = []

    init(_ reach: ApplicationReach, _ site: Site) {
        self.reach = reach
        self.site = site
    }

    private mutating func reject(_ field: String, _ problem: String) {
        problems.append(FieldProblem(field: field, problem: problem))
    }

    func finish(_ shape: [FieldProblem]) throws(Problem) {
        let all = FieldProblem.merged(shape: shape, meaning: problems)
        guard all.isEmpty else { throw Problem(invalid: all) }
    }

    mutating func check(name: String?, email: String?) {
        if let name, name.isEmpty || name.utf8.count > Person.nameLimit || name.hasControlCharacter {
            reject("name", "must be 1 to \(Person.nameLimit) bytes without control characters")
        }
        guard let email else { return }
        if email.utf8.count > Person.emailLimit || email.hasControlCharacter || !email.dropFirst().contains("@") {
            reject("email", "must be an e-mail address of at most \(Person.emailLimit) bytes")
        }
    }

    mutating func memberships(_ values: [MembershipValue]) -> [Membership] {
        var memberships: [Membership] = []
        var named: Set<ApplicationID?> = []
        for (index, value) in values.enumerated() {
            guard let membership = membership(value, in: "memberships[\(index)].") else { continue }
            if !named.insert(membership.application).inserted {
                reject("memberships[\(index)].app", "is named twice; a person has one role for each application")
            }
            memberships.append(membership)
        }
        return memberships
    }

    /// - Parameter place: before the names of the members.
    mutating func membership(_ value: MembershipValue, in place: String = "") -> Membership? {
        let role = PersonRole(rawValue: value.role)
        if role == nil {
            reject("\(place)role", "must be one of \(PersonRole.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        guard let name = value.app else {
            if !reach.isAll { reject("\(place)app", "must name an application that you administer") }
            return role.map { Membership(application: nil, role: $0) }
        }
        // Without access to the application, the response must not reveal whether it exists.
        guard let application = ApplicationID(name), WebhookFields.isKnown(application, to: reach, site) else {
            reject("\(place)app", reach.isAll ? "is not a known application" : "is no application that you administer")
            return nil
        }
        return role.map { Membership(application: application, role: $0) }
    }

    mutating func identities(_ values: [IdentityValue]) -> [PersonIdentity] {
        var identities: [PersonIdentity] = []
        for (index, value) in values.enumerated() {
            let isIssuer =
                value.issuer == PersonIdentity.proxyIssuer
                || ((value.issuer.hasPrefix("https://") || value.issuer.hasPrefix("http://"))
                    && value.issuer.utf8.count <= Self.issuerBytes && !value.issuer.hasControlCharacter)
            if !isIssuer { reject("identities[\(index)].issuer", "must be the provider's URL, or proxy") }
            if value.subject.isEmpty || value.subject.utf8.count > Self.subjectBytes
                || value.subject.hasControlCharacter
            {
                reject(
                    "identities[\(index)].subject",
                    "must be 1 to \(Self.subjectBytes) bytes without control characters")
            }
            let identity = PersonIdentity(issuer: value.issuer, subject: value.subject)
            if identities.contains(identity) { reject("identities[\(index)]", "is named twice") }
            identities.append(identity)
        }
        return identities
    }

    /// The IDs of those to keep.
    mutating func passkeys(_ values: [PasskeyValue]) -> [[UInt8]] {
        values.enumerated().compactMap { index, value in
            let id = Base64.bytes(lenient: value.id)
            if id == nil { reject("passkeys[\(index)].id", "must be an id as the person's passkeys have it") }
            return id
        }
    }

    // MARK: Outcomes

    static let unknown = Problem(.personUnknown, "No person has this id, or you may not see that person.")

    /// - Throws: where the id can be nobody's: databases don't take every character.
    static func id(_ text: String) throws(Problem) -> String {
        guard !text.isEmpty, text.utf8.count <= 64, text.utf8.allSatisfy(\.isAlphanumeric) else { throw unknown }
        return text
    }

    /// The person of an outcome.
    ///
    /// - Throws: why there is none.
    static func person(_ outcome: PersonOutcome) throws(Problem) -> Person {
        switch outcome {
        case .done(let person): return person
        case .unknown, .deleted: throw unknown
        case .beyondReach:
            throw Problem(
                .applicationForbidden, "You administer some applications: memberships of others are not yours to give.")
        case .needsAll:
            throw Problem(
                .applicationForbidden,
                "Only an administrator of all applications changes identities and passkeys; invite the person instead.")
        case .worksElsewhere:
            throw Problem(
                .applicationForbidden,
                "This person has memberships beyond the applications that you administer. You can change the memberships of yours; an administrator of all applications does the rest."
            )
        case .lastAdministrator:
            throw Problem(
                .administratorNeeded,
                "Nobody else could administer all applications: no other person who can sign in, and no API key.")
        case .disabled:
            throw Problem(invalid: [FieldProblem(field: "person", problem: "is disabled; enable the person first")])
        case .taken:
            throw Problem(invalid: [FieldProblem(field: "identities", problem: "one is another person's already")])
        case .full:
            throw Problem(invalid: [
                FieldProblem(
                    field: "name",
                    problem: "is one too many: a service has at most \(Person.limit) people; delete one first")
            ])
        case .tooManyMemberships:
            throw Problem(invalid: [
                FieldProblem(
                    field: "memberships", problem: "are too many: a person has at most \(Person.membershipLimit)")
            ])
        }
    }
}

extension PasskeyValue {
    init(_ passkey: Passkey) {
        self.init(
            id: Base64.urlText(passkey.id), createdAt: passkey.createdAt.wholeSecond,
            usedAt: passkey.usedAt?.wholeSecond)
    }
}
