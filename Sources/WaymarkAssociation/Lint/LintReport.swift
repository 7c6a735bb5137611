package import WaymarkJSON

/// All findings about one file.
package struct LintReport: Hashable, Sendable {
    /// Nil if the kind can't be detected from the text.
    package var kind: AssociationKind?
    package var byteCount: Int
    /// In the order of the file; findings without a position come last.
    package var findings: [LintFinding]

    package init(kind: AssociationKind?, byteCount: Int, findings: [LintFinding]) {
        self.kind = kind
        self.byteCount = byteCount
        self.findings = findings
    }

    package func count(_ severity: LintSeverity) -> Int {
        findings.count { $0.rule.severity == severity }
    }

    /// True if there are neither errors nor warnings, only notes.
    package var isClean: Bool { findings.allSatisfy { $0.rule.severity == .note } }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("kind", kind?.rawValue)
        writer.member("bytes", byteCount)
        writer.member("clean", isClean)
        writer.member("errors", count(.error))
        writer.member("warnings", count(.warning))
        writer.member("notes", count(.note))
        writer.name("findings")
        writer.beginArray()
        for finding in findings { finding.write(to: &writer) }
        writer.endArray()
        writer.endObject()
    }

    package func json(style: JSONStyle = .compact) -> [UInt8] {
        var writer = JSONWriter(style: style, capacity: 256 + findings.count * 256)
        write(to: &writer)
        return writer.bytes
    }

    /// Human-readable text: each finding and its fix, then their number.
    ///
    /// - Parameter name: the file's name.
    package func text(name: String) -> String {
        var lines: [String] = []
        for finding in findings {
            var location = name
            if let line = finding.line, let column = finding.column { location += ":\(line):\(column)" }
            lines.append(
                "\(location): \(finding.rule.severity.rawValue): \(finding.problem) [\(finding.rule.rawValue)]")
            if let pointer = finding.pointer, !pointer.isEmpty { lines.append("    at \(pointer)") }
            if !finding.mend.isEmpty { lines.append("    \(finding.mend)") }
            lines.append("    Source: \(finding.rule.source)")
        }
        let counts = LintSeverity.allCases.reversed().compactMap { severity -> String? in
            let count = count(severity)
            return count == 0 ? nil : "\(count) \(severity.rawValue)\(count == 1 ? "" : "s")"
        }
        lines.append("\(name): \(counts.isEmpty ? "nothing to say against it" : counts.joined(separator: ", "))")
        return lines.joined(separator: "\n")
    }
}
