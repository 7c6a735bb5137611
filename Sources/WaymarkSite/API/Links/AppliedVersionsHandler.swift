import WaymarkAPI
import WaymarkHTTP
import WaymarkJSON
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkStores

/// `GET /api/v1/links:lock`: the versions of an owner's links that its last apply left, without taking the lock.
enum AppliedVersionsHandler {
    static let parameters = ["owner", "app"]

    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        var problems: [FieldProblem] = []
        let values = parameters.map { name -> String in
            let values = call.query.all(name)
            if values.count != 1 || values[0].isEmpty {
                problems.append(FieldProblem(field: name, problem: "must be given once"))
            }
            return values.first ?? ""
        }
        guard problems.isEmpty else { throw Problem(invalid: problems) }
        guard let application = ApplicationID(values[1]) else {
            throw Problem(invalid: [FieldProblem(field: "app", problem: ApplicationID.rule)])
        }
        guard let applied = applied(site) else {
            throw Problem(StoreError.unavailable("the store keeps no versions"))
        }
        // As of an application that does not exist.
        let versions =
            call.reach.contains(application) ? try await applied.versions(of: values[0], in: application) : [:]
        return .json(
            .ok,
            JSONWriter.text { writer in
                writer.beginObject()
                writer.name("versions")
                write(versions, to: &writer)
                // What the server fills in where the key names no application.
                writer.member("keyApp", call.reach.single?.text)
                writer.endObject()
            })
    }

    static func applied(_ site: Site) -> AppliedVersions? {
        AppliedVersions(site.service, read: read, written: json)
    }

    private static func write(_ versions: AppliedVersions.Versions, to writer: inout JSONWriter) {
        writer.beginObject()
        for (link, version) in versions.sorted(by: { $0.key < $1.key }) {
            writer.name(given: link)
            writer.integer(version)
        }
        writer.endObject()
    }

    private static func json(_ owners: [String: AppliedVersions.Versions]) -> [UInt8] {
        JSONWriter.text { writer in
            writer.beginObject()
            for (owner, versions) in owners.sorted(by: { $0.key < $1.key }) {
                writer.name(given: owner)
                write(versions, to: &writer)
            }
            writer.endObject()
        }
    }

    private static func read(_ bytes: [UInt8]) -> [String: AppliedVersions.Versions] {
        var owners: [String: AppliedVersions.Versions] = [:]
        for owner in (try? JSONValue(parsing: bytes))?.object?.members ?? [] {
            let versions = (owner.value.object?.members ?? []).compactMap { member in
                member.value.integer.map { (member.name, $0) }
            }
            owners[owner.name] = Dictionary(versions) { $1 }
        }
        return owners
    }
}
