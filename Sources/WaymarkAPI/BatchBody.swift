package import WaymarkJSON

/// Up to 1,000 links to create at once: the body of `POST /api/v1/links:batch`, an array.
public struct BatchBody: Sendable {
    public static let limit = 1_000

    /// Each element on its own: one that is wrong does not hold up the others.
    public var links: [Swift.Result<LinkBody, BodyError>]
    /// The elements as parsed JSON, in the same order.
    package var values: [JSONValue]

    public init(json: [UInt8]) throws(BodyError) {
        try self.init(try ObjectReader.document(json))
    }

    package init(_ document: JSONDocument) throws(BodyError) {
        guard let elements = document.root.array else {
            throw .invalid([
                FieldProblem(field: "body", problem: "must be an array of links, not \(document.root.noun)")
            ])
        }
        guard elements.count <= Self.limit else {
            throw .invalid([
                FieldProblem(
                    field: "body", problem: "must hold at most \(Self.limit) links, not \(elements.count)")
            ])
        }
        values = elements
        links = elements.map { element in
            do throws(BodyError) {
                return .success(try LinkBody(document, element))
            } catch {
                return .failure(error)
            }
        }
    }
}
