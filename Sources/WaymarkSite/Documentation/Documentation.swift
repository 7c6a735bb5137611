import Synchronization
import WaymarkServer

/// The documentation in the executable: pages as Markdown by name, and their index in the form of llmstxt.org.
final class Documentation: Sendable {
    static let shared = Documentation()

    private static let indexPath = "docs/README.md"
    /// Pages that have the name of another one.
    private static let names = ["README.md": "waymark", indexPath: "index"]

    let index: [UInt8]
    private let pages: [String: [UInt8]]
    private let sources: [(path: String, name: String)]
    /// Pages as HTML, made when they are first asked for.
    private let rendered = Mutex<[String: [UInt8]]>([:])
    /// What the search reads, made when it is first asked for.
    private let searchIndex = Mutex<[UInt8]?>(nil)

    var pageNames: Set<String> { Set(pages.keys) }

    /// Nil if there is none with this name.
    func page(_ name: String) -> [UInt8]? { pages[name] }

    /// A page as HTML; nil if there is none with this name.
    func html(_ name: String) -> [UInt8]? {
        guard pages[name] != nil else { return nil }
        if let known = rendered.withLock({ $0[name] }) { return known }
        guard let page = page(for: name) else { return nil }
        let html = DocumentPage.markup(page).bytes
        rendered.withLock { $0[name] = html }
        return html
    }

    /// Made by one caller while others wait.
    var search: [UInt8] {
        searchIndex.withLock { known in
            if let known { return known }
            let names = pages.keys.sorted()
            let made = DocumentIndex.json(names.compactMap { name in page(for: name).map { (name, $0) } })
            known = made
            return made
        }
    }

    private func page(for name: String) -> MarkdownPage? {
        guard let source = sources.first(where: { $0.name == name }) else { return nil }
        var addresses = ["Public/openapi.json": "../openapi.json"]
        for source in sources { addresses[source.path] = source.name }
        let text = EmbeddedFile.documents[source.path]?.bytes ?? []
        return MarkdownPage(DocumentLinks(addresses, from: source.path).rewritten(text))
    }

    private init() {
        var addresses: [String: String] = ["Public/openapi.json": "../openapi.json"]
        var sources: [(path: String, name: String)] = []
        for path in EmbeddedFile.documents.keys.sorted() {
            let file = path.split(separator: "/").last ?? ""
            let name = Self.names[path] ?? file.dropLast(".md".count).lowercased()
            sources.append((path, name))
            addresses[path] = "\(name).md"
        }
        pages = Dictionary(
            sources.map { source in
                let text = EmbeddedFile.documents[source.path]?.bytes ?? []
                return (source.name, DocumentLinks(addresses, from: source.path).rewritten(text))
            }, uniquingKeysWith: { first, _ in first })
        self.sources = sources
        index = Self.index(of: pages[Self.names[Self.indexPath] ?? ""] ?? [])
    }

    /// The tables of the documentation's first page as lists: a row has links and the question that they answer.
    private static func index(of page: [UInt8]) -> [UInt8] {
        var text = introduction
        var section = ""
        for line in String(decoding: page, as: UTF8.self).split(separator: "\n") {
            if line.hasPrefix("## ") {
                section = "\n\(line)\n\n"
                continue
            }
            guard line.hasPrefix("| "), line.hasSuffix(" |") else { continue }
            let cells = line.dropFirst(2).dropLast(2).split(separator: " | ", omittingEmptySubsequences: false)
            guard cells.count == 2 else { continue }
            for link in links(in: cells[0]) {
                text += section + "- [\(link.text)](\(link.address)): \(cells[1])\n"
                section = ""
            }
        }
        return Array(text.utf8)
    }

    /// The links of a table's cell, from the index, which is a folder above.
    private static func links(in cell: Substring) -> [(text: Substring, address: String)] {
        var links: [(Substring, String)] = []
        for part in cell.split(separator: ")") {
            guard let open = part.firstIndex(of: "["), let middle = part.firstRange(of: "](") else { continue }
            let address = part[middle.upperBound...]
            let target = address.hasPrefix("../") ? "/_/\(address.dropFirst(3))" : "/_/docs/\(address)"
            links.append((part[part.index(after: open)..<middle.lowerBound], target))
        }
        return links
    }

    private static let introduction = """
        # Waymark

        > A self-hosted smart-link service: one URL leads every person into the app, to the store or to the web page. Server, REST \
        API, and WaymarkKit, the client library for Swift apps.

        The pages are Markdown. [The API document](/_/openapi.json) is OpenAPI 3.1. Assistants call the API through the Model Context \
        Protocol at `/_/mcp` ([how](/_/docs/assistants.md)).

        """
}
