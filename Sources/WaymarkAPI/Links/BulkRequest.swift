package import WaymarkJSON

/// A change or the deletion of many links: the body of `PATCH /api/v1/links:batch` and of `POST /api/v1/links:delete`.
///
/// Generic over the filters of the list.
package struct BulkRequest<Filter: Sendable>: Sendable {
    package var selection: Selection
    /// Nil if there is none; not yet read.
    package var patch: JSONDocument?
    package var addTags: [String]
    package var removeTags: [String]
    package var dryRun: Bool
    /// The hash of a plan or rehearsal of this change.
    package var plan: String?
    /// Whole days (UTC) before today whose clicks are rehearsed.
    package var days = LinkRehearsalRequest.days.lowerBound

    /// Whether links must have certain versions.
    package var isConditional: Bool {
        if case .links(_, .some) = selection { true } else { false }
    }

    package enum Selection: Sendable {
        /// As given: `domain/slug`.
        /// With the versions that they must have, in the same order; nil: any.
        case links([String], versions: [Int]?)
        case filter(Filter)
    }

    /// - Parameters:
    ///   - filters: the members of `select` other than `links`.
    ///   - read: reads them.
    package init(
        _ document: JSONDocument, filters: [String], for purpose: BulkPurpose, read: (inout ObjectReader) -> Filter
    ) throws(BodyError) {
        let changes = purpose != .deletion
        let patch = changes ? document.root["patch"].flatMap { $0.isNull ? nil : $0 } : nil
        self = try ObjectReader.body(document) { reader in
            var selection = Selection.links([], versions: nil)
            if let select = reader.value("select") {
                let members = select.object?.members.filter { !$0.value.isNull }
                if let members, members.isEmpty {
                    reader.reject(
                        "select", "is empty; give links or at least one filter (\(filters.joined(separator: ", ")))")
                }
                _ = reader.object("select") { reader in
                    if let links = reader.strings("links") {
                        selection = .links(links, versions: Self.versions(of: links, &reader))
                        for name in filters where reader.value(name) != nil {
                            reader.reject(name, "can't be given together with links")
                        }
                    } else {
                        selection = .filter(read(&reader))
                        if reader.value("versions") != nil { reader.reject("versions", "is for links; give links too") }
                    }
                }
            } else {
                reader.reject("select", "is missing")
            }
            var add: [String] = []
            var remove: [String] = []
            if changes {
                if let value = reader.value("patch"), value.object == nil {
                    reader.reject("patch", value, mustBe: "an object")
                }
                add = reader.strings("addTags") ?? []
                remove = reader.strings("removeTags") ?? []
                if patch == nil, add.isEmpty, remove.isEmpty {
                    reader.reject("patch", "is missing; give patch, addTags or removeTags")
                }
            }
            var request = BulkRequest(selection: selection, addTags: add, removeTags: remove, dryRun: false)
            switch purpose {
            case .change:
                request.dryRun = reader.bool("dryRun") ?? false
                request.plan = reader.string("plan")
            case .deletion: request.dryRun = reader.bool("dryRun") ?? false
            case .plan: break
            case .rehearsal: request.days = LinkRehearsalRequest.days(&reader)
            }
            return request
        }
        guard let patch, patch.object != nil else { return }
        do throws(JSONError) {
            self.patch = try JSONDocument(element: patch, of: document, shape: LinkRequest.shape)
        } catch {
            throw BodyError(error)
        }
    }

    private static func versions(of links: [String], _ reader: inout ObjectReader) -> [Int]? {
        guard let value = reader.value("versions") else { return nil }
        let versions = value.array?.compactMap(\.integer) ?? []
        guard versions.count == links.count, versions.count == value.array?.count else {
            reader.reject("versions", "must hold one integer for each of links")
            return nil
        }
        return versions
    }

    private init(selection: Selection, addTags: [String], removeTags: [String], dryRun: Bool) {
        self.selection = selection
        self.addTags = addTags
        self.removeTags = removeTags
        self.dryRun = dryRun
    }
}

/// What a selection of links is for.
package enum BulkPurpose: Sendable {
    case change, deletion, plan, rehearsal
}

package enum BulkLimits {
    /// Links of one request.
    package static let links = 100_000
    /// Results in one response.
    package static let results = 1_000

    /// - Parameter filters: the members of `select` other than `links`.
    package static func document(_ bytes: [UInt8], filters: [String]) throws(BodyError) -> JSONDocument {
        let tags = JSONShape.strings(atMost: BodyMaximum.tags)
        return try ObjectReader.document(
            bytes,
            shape: .names(
                ["patch", "dryRun", "plan", "days"],
                [
                    "select": .names(
                        filters, ["links": .strings(atMost: links), "versions": .array(.scalar, atMost: links)]),
                    "addTags": tags, "removeTags": tags,
                ]))
    }
}

/// The response to a bulk request.
package struct BulkResponse: Sendable {
    package struct Result: Sendable {
        package var domain: String
        package var slug: String
        /// Nil if it succeeded.
        package var problem: Problem?

        package init(domain: String, slug: String, problem: Problem?) {
            self.domain = domain
            self.slug = slug
            self.problem = problem
        }
    }

    /// Links that were found.
    package var matched = 0
    /// Of these, those that were changed, or would be.
    package var changed = 0
    /// The first ones.
    package var results: [Result] = []

    package init() {}

    /// - Parameter status: that of each success.
    package func json(status: Int) -> [UInt8] {
        JSONWriter.text { writer in
            writer.beginObject()
            writer.member("matched", matched)
            writer.member("changed", changed)
            writer.array("results", results) { result, writer in
                writer.beginObject()
                writer.member("domain", result.domain)
                writer.member("slug", result.slug)
                writer.member("status", result.problem?.status ?? status)
                if let problem = result.problem {
                    writer.name("problem")
                    problem.write(to: &writer)
                }
                writer.endObject()
            }
            writer.endObject()
        }
    }
}
