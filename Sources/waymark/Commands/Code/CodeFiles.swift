import Foundation
import WaymarkAPI
import WaymarkJSON
import WaymarkLinks
import WaymarkService
import WaymarkSite

/// What the files of a folder say: applications, links and webhooks, each checked as the API checks it.
struct CodeFiles: Sendable {
    struct App: Sendable {
        let place: CodePlace
        let definition: ApplicationDefinition
    }

    struct Webhook: Sendable {
        let place: CodePlace
        let request: WebhookRequest
    }

    private(set) var apps: [App] = []
    private(set) var links: [CodeLink] = []
    private(set) var webhooks: [Webhook] = []
    /// The name of the folder.
    let owner: String
    private var appPlaces: [ApplicationID: CodePlace] = [:]
    /// By URL and application.
    private var webhookPlaces: [[String?]: CodePlace] = [:]

    /// - Throws: `CommandFailure` with the last of the problems, after the others were shown.
    init(at path: String) throws {
        var problems = CodeProblems()
        owner = Self.folderName(path)
        let files = try CodeFile.all(at: path, &problems)
        for file in files { readApps(file, &problems) }
        for file in files { readLinks(file, &problems) }
        for file in files { readWebhooks(file, &problems) }
        try problems.check()
    }

    private static func folderName(_ path: String) -> String {
        let url = URL(fileURLWithPath: path).standardizedFileURL
        return (CodeFile.type(of: path) == .typeDirectory ? url : url.deletingLastPathComponent()).lastPathComponent
    }

    private mutating func readApps(_ file: CodeFile, _ problems: inout CodeProblems) {
        for element in file.elements("applications") {
            let place = file.place(of: element)
            guard let document = Self.document(element, file, ApplicationRequest.shape, place, &problems) else {
                continue
            }
            guard !Self.refusesOwner(document.root, place, &problems) else { continue }
            switch ApplicationDocument.read(document) {
            case .problems(let found): Self.add(found, document.root, ApplicationRequest.shape, place, &problems)
            case .definition(let definition):
                let id = definition.application.id
                if let other = appPlaces[id] {
                    problems.add(place, "application \(id.text) is in \(other.text) too; remove one")
                } else {
                    appPlaces[id] = place
                    apps.append(App(place: place, definition: definition))
                }
            }
        }
    }

    private mutating func readLinks(_ file: CodeFile, _ problems: inout CodeProblems) {
        let only = apps.count == 1 ? apps[0].definition.application : nil
        for element in file.elements("links") {
            let place = file.place(of: element)
            guard let document = Self.document(element, file, CodeLink.shape, place, &problems) else { continue }
            var found: [FieldProblem] = []
            if let link = CodeLink(document, place, onlyApp: only, &found), found.isEmpty { links.append(link) }
            Self.add(found, document.root, CodeLink.shape, place, &problems)
        }
    }

    private mutating func readWebhooks(_ file: CodeFile, _ problems: inout CodeProblems) {
        for element in file.elements("webhooks") {
            let place = file.place(of: element)
            guard let document = Self.document(element, file, WebhookRequest.shape, place, &problems),
                !Self.refusesOwner(document.root, place, &problems)
            else { continue }
            let (request, found) = WebhookRequest.attempt(document)
            Self.add(found, document.root, WebhookRequest.shape, place, &problems)
            guard let request, found.isEmpty else { continue }
            let wrong = WebhookFields.problems(
                url: request.url, events: request.events, name: request.name, managedBy: nil)
            Self.add(wrong, document.root, WebhookRequest.shape, place, &problems)
            guard wrong.isEmpty else { continue }
            let key = [request.url, request.app]
            if let other = webhookPlaces[key] {
                problems.add(place, "the webhook is in \(other.text) too; remove one")
            } else {
                webhookPlaces[key] = place
                webhooks.append(Webhook(place: place, request: request))
            }
        }
    }

    private static func refusesOwner(
        _ value: JSONValue, _ place: CodePlace, _ problems: inout CodeProblems
    ) -> Bool {
        guard let object = value.object, let index = object.position(of: "managedBy") else { return false }
        let offset = object.members[index].nameRange.lowerBound
        problems.add(place.moved(to: offset), "managedBy \(CodeLink.ownerIsSet)")
        return true
    }

    private static func document(
        _ element: JSONValue, _ file: CodeFile, _ shape: JSONShape, _ place: CodePlace,
        _ problems: inout CodeProblems
    ) -> JSONDocument? {
        do throws(JSONError) {
            let document = try JSONDocument(element: element, of: file.document, shape: shape)
            if document.root.object != nil { return document }
            problems.add(place, "must be an object, not \(document.root.noun)")
        } catch {
            problems.add("\(file.path):\(error.line)", error.problem)
        }
        return nil
    }

    private static func add(
        _ found: [FieldProblem], _ value: JSONValue, _ shape: JSONShape, _ place: CodePlace,
        _ problems: inout CodeProblems
    ) {
        for problem in found {
            let field = CodeField(problem.field)
            problems.add(place.moved(to: field.offset(in: value)), field.sentence(problem.problem, shape))
        }
    }
}

extension CodeFiles {
    /// Adds to the application's links what the server fills in, and checks them as it does.
    ///
    /// - Parameters:
    ///   - problem: of a link whose application does not exist.
    ///   - application: the one with this id; nil: there is none.
    /// - Throws: `CommandFailure` with all problems.
    mutating func complete(
        missing problem: String = "is not in the files; put it there, or name the server that has it with --url",
        _ application: (String) -> Application?
    ) throws {
        var problems = CodeProblems()
        var places: [String: Int] = [:]
        places.reserveCapacity(links.count)
        for index in links.indices {
            let id = links[index].request.app ?? ""
            guard let owner = application(id) else {
                problems.add(links[index].place, "app \(id) \(problem)")
                continue
            }
            for problem in links[index].complete(for: owner) {
                problems.add(links[index].place, "\(problem.field) \(problem.problem)")
            }
            if let other = places.updateValue(index, forKey: links[index].address) {
                problems.add(
                    links[index].place, "link \(links[index].address) is in \(links[other].place.text) too; remove one")
            }
        }
        try problems.check()
    }
}
