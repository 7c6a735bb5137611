package import WaymarkJSON

/// Up to 1,000 links to create at once: the body of `POST /api/v1/links:batch`, an array.
public struct BatchBody: Sendable {
    public static let limit = 1_000

    /// Each element on its own: one that is wrong does not hold up the others.
    public var links: [Swift.Result<LinkBody, BodyError>]
    public init(json: [UInt8]) throws(BodyError) {
        try self.init(try ObjectReader.document(json))
    }

    package init(_ document: JSONDocument) throws(BodyError) {
        links = try Self.elements(document).map { element in
            do throws(BodyError) {
                return .success(try LinkBody(document, element))
            } catch {
                return .failure(error)
            }
        }
    }

    /// The elements of a batch, as long as they may be one.
    package static func elements(_ document: JSONDocument) throws(BodyError) -> [JSONValue] {
        guard let elements = document.root.array else {
            throw .invalid([
                FieldProblem(field: "body", problem: "must be an array of links, not \(document.root.noun)")
            ])
        }
        guard elements.count <= limit else {
            throw .invalid([
                FieldProblem(
                    field: "body", problem: "must hold at most \(limit) links, not \(elements.count)")
            ])
        }
        return elements
    }
}
