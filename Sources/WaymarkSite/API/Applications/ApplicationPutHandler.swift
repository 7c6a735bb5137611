import WaymarkAPI
import WaymarkAssociation
import WaymarkHTTP
import WaymarkJSON
import WaymarkLinks
import WaymarkServer
import WaymarkService

/// `PUT /api/v1/apps/{id}`: creates or replaces an application.
enum ApplicationPutHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let document = try ObjectReader.document(call.body, shape: ApplicationRequest.shape)
        guard let id = ApplicationID(call.parameters[0]) else {
            throw Problem(invalid: [FieldProblem(field: "id", problem: ApplicationID.rule)])
        }
        guard call.reach.contains(id) else {
            throw Problem(.applicationForbidden, "This key can change its own application only.")
        }
        let definition: ApplicationDefinition
        switch ApplicationDocument.read(document, id: id.text) {
        case .problems(let problems): throw Problem(invalid: problems)
        case .definition(let read): definition = read
        }
        guard call.reach.isAll || !definition.application.domains.isEmpty else {
            throw Problem(
                .scopeMissing,
                "Without domains an application serves every host, which needs a key for all applications. Name its domains."
            )
        }
        let directory = site.service.applications.directory.current
        try checkDestinations(definition.application, site)
        try checkSharedFiles(definition, in: directory)
        if let seconds = takeGuesses(definition.application, directory.application(id)?.application, call, site) {
            return .rateLimited(retryAfter: seconds)
        }
        let current = directory.application(id)?.version
        switch call.ifMatch.expectation(current: current) {
        case .failed: throw Problem.versionMismatch(current: current)
        case .version(let version):
            return try response(try await site.service.applications.put(definition, expecting: version), id)
        }
    }

    /// Whether a text is accepted says whether it identifies another caller, so each new one counts as a failed key
    /// (KeyCreationHandler).
    ///
    /// - Returns: the seconds after which the caller may go on, if there were too many.
    private static func takeGuesses(
        _ application: Application, _ current: Application?, _ call: Call, _ site: Site
    ) -> Int? {
        guard !call.reach.isAll else { return nil }
        let known = Set(current?.firebase?.apiKeys ?? [])
        for text in application.firebase?.apiKeys ?? [] where !known.contains(text) {
            if let seconds = site.callers.take(.failedAuthentication, call.peer, key: call.key) { return seconds }
        }
        return nil
    }

    private static func response(_ put: ApplicationPut, _ id: ApplicationID) throws(Problem) -> Response {
        switch put {
        case .created(let served):
            return .json(
                .created, served.document,
                fields: .eTag(served.version).adding(location: Endpoint.application(id.text)))
        case .replaced(let served): return .json(.ok, served.document, fields: .eTag(served.version))
        case .versionMismatch(let current): throw .versionMismatch(current: current)
        case .readOnly: throw .applicationReadOnly
        case .hostTaken(let host, let owner):
            throw Problem(.domainTaken, "The host \(host.text) belongs to the application \(owner.text).")
        case .credentialTaken:
            throw Problem(
                .keyTaken, "One of firebase.apiKeys is an API key or belongs to another application; name another.")
        case .slugsClash(let clash): throw Problem(.applicationInUse, clash.sentence)
        case .inUse(let losses):
            throw Problem(.applicationInUse, "Links need what this would drop: \(losses.joined(separator: "; ")).")
        }
    }

    /// Checks that depend on other applications and on the operator: the hosts of smart links, and blocked hosts.
    private static func checkDestinations(_ application: Application, _ site: Site) throws(Problem) {
        let registry = site.service.applications
        let check = DestinationCheck(
            policy: application.blocking(registry.blockedHosts).destinations,
            smartlinkHosts: registry.directory.current.smartlinkHosts(with: application))
        let problems = application.destinationProblems(check)
        guard problems.isEmpty else { throw Problem(invalid: problems) }
    }

    /// Applications without domains share all hosts and so their association files, which must not exceed the size
    /// limit together.
    private static func checkSharedFiles(
        _ definition: ApplicationDefinition, in directory: ApplicationDirectory
    ) throws(Problem) {
        guard definition.application.domains.isEmpty else { return }
        let others = directory.applications.filter {
            $0.application.domains.isEmpty && $0.id != definition.application.id
        }
        guard !others.isEmpty else { return }
        let sources = (others.map(\.document) + [definition.document]).map(AssociationTable.source)
        let problems = AssociationFiles(merging: sources).problems
        guard problems.isEmpty else {
            throw Problem(invalid: problems.map { FieldProblem(field: $0.field, problem: $0.problem) })
        }
    }
}
