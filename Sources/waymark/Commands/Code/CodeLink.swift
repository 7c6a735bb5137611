import WaymarkAPI
import WaymarkJSON
import WaymarkLinks
import WaymarkService
import WaymarkStores

/// A link of the files: the members of the API, and what its tests expect.
struct CodeLink: Sendable {
    let place: CodePlace
    /// Once it is complete: in the form in which a server answers it.
    private(set) var request: LinkRequest
    let expectations: [LinkExpectation]

    /// As in the API.
    var address: String { "\(request.domain ?? "")/\(request.slug ?? "")" }

    /// Members of the API that files don't have.
    private static let refused = [
        "password": "is a secret; give it to the link with waymark links update --password-file",
        "unique": "is for links without a slug; remove it",
        "managedBy": ownerIsSet,
    ]
    static let ownerIsSet = "is set by waymark apply; remove it, or give --owner"

    static let members = LinkRequest.members.names.filter { refused[$0] == nil } + ["expect"]

    static let shape: JSONShape = {
        var members = Dictionary(uniqueKeysWithValues: LinkRequest.members.members.map { ($0.name, $0.shape) })
        members["expect"] = .array(LinkExpectation.shape, atMost: LinkExpectation.limit)
        return .object(members)
    }()

    /// - Parameter onlyApp: the application of links that name none.
    init?(_ document: JSONDocument, _ place: CodePlace, onlyApp: Application?, _ problems: inout [FieldProblem]) {
        guard var members = document.root.object else { return nil }
        let expected = members["expect"]
        if expected != nil { members["expect"] = nil }
        let (body, shape) = LinkRequest.attempt(document, JSONValue(members))
        problems += shape
        for (name, problem) in Self.refused.sorted(by: { $0.key < $1.key }) where members[name] != nil {
            problems.append(FieldProblem(field: name, problem: problem))
        }
        if let metadata = members["metadata"], let path = Self.null(in: metadata, "metadata") {
            problems.append(
                FieldProblem(field: path, problem: "is null, which no change of a link can set; remove it"))
        }
        expectations = LinkExpectation.all(expected, of: document, place, &problems)
        guard var body else { return nil }
        body.app = body.app ?? onlyApp?.id.text
        if body.app == nil {
            problems.append(FieldProblem(field: "app", problem: "is missing; name the link's application"))
        }
        if body.slug == nil {
            problems.append(FieldProblem(field: "slug", problem: "is missing; a link of the files needs one"))
        }
        self.place = place
        request = body
    }

    /// The first member of objects that is null: a merge patch would remove it. Those in arrays are kept.
    private static func null(in value: JSONValue, _ path: String) -> String? {
        for member in value.object?.members ?? [] {
            let inner = "\(path).\(member.name)"
            if member.value.isNull { return inner }
            if let found = null(in: member.value, inner) { return found }
        }
        return nil
    }

    /// Fills in the domain and gives every member its stored form.
    mutating func complete(for application: Application) -> [FieldProblem] {
        let domain = request.domain.map { HostName($0) } ?? application.linkDomains.first
        guard let domain, application.linkDomains.contains(domain) else {
            return [FieldProblem(field: "domain", problem: "is not a domain of the application")]
        }
        switch request.validateForStorage(for: application) {
        case .invalid(let problems): return problems
        case .valid(let valid):
            var complete = LinkRequest(valid.content, metadata: valid.metadata)
            complete.app = application.id.text
            complete.domain = domain.text
            complete.slug = valid.slug?.text ?? request.slug
            request = complete
            return []
        }
    }
}
