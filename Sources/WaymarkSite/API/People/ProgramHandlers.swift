import WaymarkAPI
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkStores

/// `GET /api/v1/programs`: those that the caller lets act.
enum ProgramListHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let owner = site.service.programOwner(of: call.key)
        let programs = try await site.service.assistants.programs(of: owner)
        return .json(.ok, ProgramResponse.list(programs.map { ProgramResponse($0) }))
    }
}

/// `DELETE /api/v1/programs/{id}`.
enum ProgramEndHandler {
    static let unknown = Problem(.resourceUnknown, "No program that may act has this id.")

    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let owner = site.service.programOwner(of: call.key)
        guard try await site.service.assistants.end(call.parameters[0], of: owner) else { throw unknown }
        return .noContent
    }
}

/// `GET /api/v1/people/{id}/programs`.
enum PersonProgramListHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let id = try PersonFields.id(call.parameters[0])
        let (outcome, programs) = try await site.service.people.programs(of: id, for: call.reach)
        _ = try PersonFields.person(outcome)
        return .json(.ok, ProgramResponse.list(programs.map { ProgramResponse($0) }))
    }
}

/// `DELETE /api/v1/people/{id}/programs/{program}`.
enum PersonProgramEndHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let id = try PersonFields.id(call.parameters[0])
        let (outcome, hasEnded) = try await site.service.people.endProgram(
            call.parameters[1], of: id, for: call.reach)
        _ = try PersonFields.person(outcome)
        guard hasEnded else { throw ProgramEndHandler.unknown }
        return .noContent
    }
}

extension ProgramResponse {
    fileprivate init(_ program: AllowedProgram) {
        self.init(
            id: program.id, name: program.name,
            scopes: KeyScope.allCases.filter(program.scopes.contains).map(\.rawValue),
            apps: program.applications?.map(\.text).sorted(), allowedAt: program.allowedAt.wholeSecond,
            lastUsedAt: program.usedAt.wholeSecond, expiresAt: program.expiresAt.wholeSecond,
            endsAt: program.endsAt.wholeSecond)
    }
}
