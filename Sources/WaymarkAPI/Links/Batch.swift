package import WaymarkJSON

/// Up to 1,000 links to create with one request: the body of `POST /api/v1/links:batch`, an array.
public struct BatchRequest: Sendable {
    public static let limit = 1_000

    /// Each element has its own result: an invalid one does not affect the others.
    public var links: [Swift.Result<LinkRequest, BodyError>]
    public init(json: [UInt8]) throws(BodyError) {
        let document = try Self.document(json)
        var links: [Swift.Result<LinkRequest, BodyError>] = []
        for element in try Self.elements(document) {
            do throws(BodyError) {
                links.append(.success(try LinkRequest(try Self.link(element, of: document))))
            } catch {
                if case .malformed = error { throw error }
                links.append(.failure(error))
            }
        }
        self.links = links
    }

    /// The body with undecoded elements, so that only one at a time takes memory.
    package static func document(_ bytes: [UInt8]) throws(BodyError) -> JSONDocument {
        try ObjectReader.document(bytes, shape: .array(.scalar, atMost: limit))
    }

    /// The elements of a batch. Throws if there are too many.
    package static func elements(_ document: JSONDocument) throws(BodyError) -> [JSONValue] {
        guard let elements = document.root.array else {
            throw .invalid([
                FieldProblem(field: "body", problem: "must be an array of links, not \(document.root.noun)")
            ])
        }
        if let count = document.countBeyondMaximum(of: document.root) {
            throw .invalid([
                FieldProblem(field: "body", problem: "must hold at most \(limit) links, not \(count)")
            ])
        }
        return elements
    }

    /// Decodes one of the elements.
    ///
    /// - Throws: `BodyError.malformed` if a member is duplicated.
    package static func link(_ element: JSONValue, of document: JSONDocument) throws(BodyError) -> JSONDocument {
        do throws(JSONError) {
            return try JSONDocument(element: element, of: document, shape: LinkRequest.shape)
        } catch {
            throw BodyError(error)
        }
    }
}

/// The result of each link in a batch, in the order of the request.
public struct BatchResponse: Sendable, Equatable {
    public enum Result: Sendable, Equatable {
        /// 201, or 200 if `unique` found an existing link.
        case link(status: Int, LinkResponse)
        case problem(Problem)
    }

    public var results: [Result]

    public init(results: [Result]) {
        self.results = results
    }

    public var json: [UInt8] {
        JSONWriter.text { writer in
            writer.beginObject()
            writer.array("results", results) { result, writer in
                writer.beginObject()
                switch result {
                case .link(let status, let link):
                    writer.member("status", status)
                    writer.name("link")
                    link.write(to: &writer)
                case .problem(let problem):
                    writer.member("status", problem.status)
                    writer.name("problem")
                    problem.write(to: &writer)
                }
                writer.endObject()
            }
            writer.endObject()
        }
    }
}
