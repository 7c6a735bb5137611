/// A page of the documentation, read as the Markdown that it is written in: headings, paragraphs, lists, tables, quotations and
/// fenced code (docs/decisions/2026-11-29-documentation-as-pages.md).
struct MarkdownPage {
    /// A heading with what is below it, until the next heading.
    struct Section {
        var level: Int
        var title: String
        /// The anchor, as GitHub makes it.
        var anchor: String
        /// Text without marks.
        var text = ""
    }

    private(set) var content: Markup = ""
    private(set) var sections: [Section] = []
    private var anchors: [String: Int] = [:]

    var title: String { sections.first?.title ?? "Waymark" }

    init(_ source: [UInt8]) {
        let lines = String(decoding: source, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        content = blocks(lines[...])
    }

    private mutating func blocks(_ lines: ArraySlice<Substring>) -> Markup {
        var markup: Markup = ""
        var rest = lines
        while let line = rest.first {
            let text = line.drop { $0 == " " }
            let block: Markup
            if text.isEmpty {
                rest = rest.dropFirst()
                continue
            } else if text.hasPrefix("<!--") {
                let end = rest.firstIndex { $0.contains("-->") } ?? rest.endIndex - 1
                rest = rest[(end + 1)...]
                continue
            } else if text.hasPrefix("```") {
                block = code(&rest)
            } else if line.hasPrefix("#"), let heading = heading(line) {
                block = heading
                rest = rest.dropFirst()
            } else if line == "---" {
                block = "<hr>\n"
                rest = rest.dropFirst()
            } else if line.hasPrefix("|") {
                block = table(&rest)
            } else if line.hasPrefix(">") {
                let quoted = rest.prefix { $0.hasPrefix(">") }
                rest = rest[quoted.endIndex...]
                let inner = quoted.map { $0.dropFirst().drop { $0 == " " } }
                block = "<blockquote>\n\(blocks(inner[...]))</blockquote>\n"
            } else if ListItem(line) != nil {
                block = list(&rest)
            } else {
                block = paragraph(&rest)
            }
            markup = "\(markup)\(block)"
        }
        return markup
    }

    private mutating func heading(_ line: Substring) -> Markup? {
        let level = line.prefix { $0 == "#" }.count
        guard level <= 6, line.dropFirst(level).first == " " else { return nil }
        let text = MarkdownText(line.dropFirst(level + 1))
        let anchor = anchor(of: text.plain)
        sections.append(Section(level: level, title: text.plain, anchor: anchor))
        let tag: Markup = ["h1", "h2", "h3", "h4", "h5", "h6"][level - 1]
        return "<\(tag) id=\"\(anchor)\"><a href=\"#\(anchor)\">\(text.markup)</a></\(tag)>\n"
    }

    private mutating func anchor(of title: String) -> String {
        let name = String(
            title.lowercased().unicodeScalars.compactMap { scalar -> Character? in
                if scalar == " " { return "-" }
                let isMark = scalar == "-" || scalar == "_"
                return isMark || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                    ? Character(scalar) : nil
            })
        let number = anchors[name, default: 0]
        anchors[name] = number + 1
        return number == 0 ? name : "\(name)-\(number)"
    }

    private mutating func note(_ text: String) {
        guard !sections.isEmpty else { return }
        sections[sections.count - 1].text += text + " "
    }

    private mutating func code(_ rest: inout ArraySlice<Substring>) -> Markup {
        guard let first = rest.first else { return "" }
        let indent = first.prefix { $0 == " " }.count
        let fence = first.dropFirst(indent).prefix { $0 == "`" }
        rest = rest.dropFirst()
        let end = rest.firstIndex { $0.drop { $0 == " " } == fence } ?? rest.endIndex
        let lines = rest[..<end].map { line in line.dropFirst(min(indent, line.prefix { $0 == " " }.count)) }
        rest = rest[min(end + 1, rest.endIndex)...]
        note(lines.joined(separator: " "))
        let content = lines.reduce("" as Markup) { "\($0)\(String($1))\(Self.newline)" }
        return "<pre tabindex=\"0\"><code>\(content)</code></pre>\n"
    }

    private static let newline: Markup = "\n"

    private mutating func table(_ rest: inout ArraySlice<Substring>) -> Markup {
        let lines = rest.prefix { $0.hasPrefix("|") }
        rest = rest[lines.endIndex...]
        var rows: Markup = ""
        for (index, line) in lines.enumerated() where index != 1 {
            var cells: Markup = ""
            for cell in Self.cells(line) {
                let text = MarkdownText(cell)
                note(text.plain)
                cells =
                    index == 0
                    ? "\(cells)<th scope=\"col\">\(text.markup)</th>" : "\(cells)<td>\(text.markup)</td>"
            }
            let row: Markup = "<tr>\(cells)</tr>\n"
            rows = index == 0 ? "<thead>\n\(row)</thead>\n<tbody>\n" : "\(rows)\(row)"
        }
        return "<div class=\"scroll\" tabindex=\"0\"><table>\n\(rows)</tbody>\n</table></div>\n"
    }

    /// Bars in code and escaped ones separate no cells.
    private static func cells(_ line: Substring) -> [String] {
        var cells: [String] = [""]
        var isCode = false
        var isEscaped = false
        for character in line.dropFirst() {
            if character == "|", isEscaped || isCode {
                // In a table, the backslash before a bar disappears also in code.
                if isEscaped { cells[cells.count - 1].removeLast() }
                cells[cells.count - 1].append("|")
            } else if character == "|" {
                cells.append("")
            } else {
                if character == "`" { isCode.toggle() }
                cells[cells.count - 1].append(character)
            }
            isEscaped = character == "\\" && !isEscaped
        }
        if let last = cells.last, last.allSatisfy({ $0 == " " }) { cells.removeLast() }
        return cells.map { String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
    }

    private struct ListItem {
        let indent: Int
        let isNumbered: Bool
        /// Columns before the item's text.
        let width: Int

        init?(_ line: Substring) {
            let indent = line.prefix { $0 == " " }.count
            let text = line.dropFirst(indent)
            if text.hasPrefix("- ") || text.hasPrefix("* ") {
                self.init(indent: indent, isNumbered: false, width: indent + 2)
                return
            }
            let digits = text.prefix { $0.isASCII && $0.isNumber }.count
            guard (1...9).contains(digits), text.dropFirst(digits).hasPrefix(". ") else { return nil }
            self.init(indent: indent, isNumbered: true, width: indent + digits + 2)
        }

        private init(indent: Int, isNumbered: Bool, width: Int) {
            self.indent = indent
            self.isNumbered = isNumbered
            self.width = width
        }
    }

    private mutating func list(_ rest: inout ArraySlice<Substring>) -> Markup {
        guard let first = rest.first.flatMap({ ListItem($0) }) else { return "" }
        var items: Markup = ""
        while let line = rest.first, let item = ListItem(line), item.indent == first.indent,
            item.isNumbered == first.isNumbered
        {
            rest = rest.dropFirst()
            var lines = [line.dropFirst(item.width)]
            while let next = rest.first {
                let indent = next.prefix { $0 == " " }.count
                if next.isEmpty || indent == next.count {
                    // An empty line ends the item, unless more of it follows.
                    guard let after = rest.dropFirst().first, !after.isEmpty,
                        after.prefix(while: { $0 == " " }).count >= item.width
                    else { break }
                } else if indent < item.width, ListItem(next) != nil || !Self.isParagraph(next) || lines.last == "" {
                    break
                }
                lines.append(next.dropFirst(min(indent, item.width)))
                rest = rest.dropFirst()
            }
            items = "\(items)<li>\(itemContent(lines))</li>\n"
            // Between items there may be an empty line.
            let next = rest.dropFirst().first.flatMap { ListItem($0) }
            if rest.first == "", next?.indent == first.indent {
                rest = rest.dropFirst()
            }
        }
        return first.isNumbered ? "<ol>\n\(items)</ol>\n" : "<ul>\n\(items)</ul>\n"
    }

    /// A short item is without a paragraph.
    private mutating func itemContent(_ lines: [Substring]) -> Markup {
        var rest = lines[...]
        let isShort = lines.first.map(Self.isParagraph) ?? false
        guard isShort else { return blocks(rest) }
        let text = MarkdownText(Self.joined(Self.paragraphLines(&rest)))
        note(text.plain)
        return "\(text.markup)\(blocks(rest))"
    }

    private mutating func paragraph(_ rest: inout ArraySlice<Substring>) -> Markup {
        let text = MarkdownText(Self.joined(Self.paragraphLines(&rest)))
        note(text.plain)
        return "<p>\(text.markup)</p>\n"
    }

    /// At least one line.
    private static func paragraphLines(_ rest: inout ArraySlice<Substring>) -> [Substring] {
        var lines: [Substring] = []
        while let line = rest.first, lines.isEmpty || isParagraph(line) && ListItem(line) == nil {
            lines.append(line)
            rest = rest.dropFirst()
        }
        return lines
    }

    private static func isParagraph(_ line: Substring) -> Bool {
        let text = line.drop { $0 == " " }
        return !text.isEmpty && !text.hasPrefix("```") && !text.hasPrefix("|") && !text.hasPrefix("#")
            && !text.hasPrefix(">") && !text.hasPrefix("<!--")
    }

    private static func joined(_ lines: [Substring]) -> String {
        lines.map { String($0.drop { $0 == " " }) }.joined(separator: " ")
    }
}
