import WaymarkAPI
import WaymarkClient
import WaymarkImports
import WaymarkJSON
import WaymarkLinks
import WaymarkServer
import WaymarkService

extension ImportOrder {
    /// - Throws: `Problem` with everything that is wrong.
    init(_ call: Call, _ site: Site) async throws(Problem) {
        let (body, map, shape, files) = try Self.read(call)
        var problems: [FieldProblem] = []
        func reject(_ field: String, _ problem: String) {
            problems.append(FieldProblem(field: field, problem: problem))
        }
        let service = ForeignService(rawValue: body.source)
        if service == nil { reject("source", "must be one of \(ForeignService.names)") }
        var columns = ColumnMap()
        do {
            columns = try ColumnMap(map)
        } catch {
            reject("map", "\((error as? SourceError)?.description ?? "is not valid")")
        }
        var time = ForeignTime()
        if let zone = body.timeZone {
            if let known = ForeignTime(zone: zone) {
                time = known
            } else {
                reject("timeZone", "must be a name of the IANA Time Zone Database, such as Europe/Berlin")
            }
        }
        var access: ServiceAccess?
        if let service {
            do throws(Refusal) {
                access = try Self.access(body.credentials, service, hasFiles: !files.isEmpty)
            } catch {
                reject(error.field, error.problem)
            }
        }
        if let url = access?.url, let obstacle = await site.imports.client.obstacle(to: url) {
            reject("credentials.apiURL", obstacle.fieldProblem)
        }
        let owner = try LinkAdmission(call, site).owner(body.app)
        var application: ServedApplication?
        var domain: HostName?
        switch owner {
        case .invalid(let problem): problems.append(problem)
        case .application(let found):
            application = found
            if let text = body.domain {
                domain = HostName(text).flatMap { found.domain(given: $0) }
                if domain == nil { reject("domain", "is not a domain of the application") }
            }
        }
        problems = FieldProblem.merged(shape: shape, meaning: problems)
        guard problems.isEmpty, let service, let application else { throw Problem(invalid: problems) }
        self.init(
            service: service, destination: ImportDestination(application, domain: domain, in: site.service),
            domain: domain, isDryRun: body.dryRun, columns: columns, time: time, access: access,
            files: files.map(\.imported))
    }

    private static func read(_ call: Call) throws(Problem) -> (
        body: ImportRequest, map: [String], shape: [FieldProblem], files: [ImportForm.File]
    ) {
        if let form = call.upload?.form {
            let (body, map, problems) = form.request
            return (body, map, problems, form.files)
        }
        let document: JSONDocument
        do throws(BodyError) {
            document = try ObjectReader.document(call.body, shape: ImportRequest.shape)
        } catch {
            throw error.problem
        }
        let (body, shape) = ImportRequest.attempt(document)
        guard let body else { throw Problem(invalid: shape) }
        return (body, body.mapTexts, shape, [])
    }

    private struct Refusal: Error {
        let field: String
        let problem: String
    }

    private static func access(
        _ given: ImportRequest.Credentials?, _ service: ForeignService, hasFiles: Bool
    ) throws(Refusal) -> ServiceAccess? {
        guard let given else {
            if hasFiles { return nil }
            throw service.hasListAPI
                ? Refusal(
                    field: "credentials",
                    problem: "are missing; give them, or upload the service's files as multipart/form-data")
                : Refusal(field: ImportForm.fileField, problem: "is missing; upload it as multipart/form-data")
        }
        // Branch's API gives the link behind a URL, and lists none.
        guard hasFiles ? service == .branch : service.hasListAPI else {
            throw hasFiles
                ? Refusal(field: "credentials", problem: "are not used with files of this source; leave them out")
                : Refusal(field: ImportForm.fileField, problem: "is missing; this source's API lists no links")
        }
        let isKey = (1...4_096).contains(given.apiKey.utf8.count)
        guard isKey, given.apiKey.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw Refusal(field: "credentials.apiKey", problem: "must be 1 to 4,096 visible ASCII characters")
        }
        guard given.apiURL != nil || service.hasHome else {
            throw Refusal(field: "credentials.apiURL", problem: "is missing; people host this service themselves")
        }
        if let url = given.apiURL, WebURL(url) == nil {
            throw Refusal(field: "credentials.apiURL", problem: "must be an http or https URL")
        }
        return ServiceAccess(key: given.apiKey, url: given.apiURL)
    }
}

extension ImportForm.File {
    /// Keeps the temporary file until nothing reads it any longer.
    fileprivate var imported: ImportedFile {
        ImportedFile(name: name, path: spool.path, bytes: bytes) { [spool] offset in try spool.read(at: offset) }
    }
}
