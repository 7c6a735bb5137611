import WaymarkAPI
import WaymarkHTTP
import WaymarkJSON
import WaymarkServer

/// `/_/problems`: lists all problem types, with the last part of each `type` as anchor.
enum ProblemsPage {
    static let page = Response.page(
        .ok,
        Page(
            language: .english, title: "Problems",
            content: """
                <h1>Problems</h1>
                <p class="soft">An error of the API is a problem document (RFC 9457). The last part of its type is explained here.</p>
                \(entries)
                """))

    static let json: Response = {
        let problems = ProblemType.allCases.map { type -> JSONValue in
            [
                "type": JSONValue(type.urn), "name": JSONValue(type.rawValue), "status": JSONValue(type.status),
                "title": JSONValue(type.title), "cause": JSONValue(type.cause), "remedy": JSONValue(type.remedy),
            ]
        }
        let document: JSONValue = ["problems": JSONValue(problems)]
        return .json(.ok, document.bytes())
    }()

    private static var entries: Markup {
        ProblemType.allCases.reduce("") { entries, type in
            """
            \(entries)<section id="\(type.rawValue)">
            <h2><a href="#\(type.rawValue)">\(type.rawValue)</a></h2>
            <p>\(String(type.status)) · \(type.title)</p>
            <p>\(type.cause)</p>
            <p>\(type.remedy)</p>
            </section>

            """
        }
    }
}
