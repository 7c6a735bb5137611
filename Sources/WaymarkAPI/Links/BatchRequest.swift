package import WaymarkJSON

/// Up to 1,000 links to be created in one go: the body of `POST /api/v1/links:batch`, an array.
public struct BatchRequest: Sendable {
    public static let limit = 1_000

    /// Each element on its own: one that is wrong does not hold up the others.
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

    /// The body with its elements not yet read, so that no more than one of them takes memory at a time.
    package static func document(_ bytes: [UInt8]) throws(BodyError) -> JSONDocument {
        try ObjectReader.document(bytes, shape: .array(.scalar, atMost: limit))
    }

    /// The elements of a batch, as long as they may be one.
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

    /// Reads one of the elements.
    ///
    /// - Throws: `BodyError.malformed` where a member stands twice.
    package static func link(_ element: JSONValue, of document: JSONDocument) throws(BodyError) -> JSONDocument {
        do throws(JSONError) {
            return try JSONDocument(element: element, of: document, shape: LinkRequest.shape)
        } catch {
            throw BodyError(error)
        }
    }
}
