import WaymarkJSON

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
