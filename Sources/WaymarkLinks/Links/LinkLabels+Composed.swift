package import WaymarkAPI

extension LinkLabel {
    /// A path as links have it; nil if none can.
    package static func composedFolder(_ path: String) -> String? {
        var problems = ProblemList()
        problems.label(.folder, path)
        return problems.isEmpty ? UnicodeText.composed(path) : nil
    }
}

extension LinkLabels {
    /// With paths in composed form, so that names which look the same are the same.
    package var composed: LinkLabels {
        var labels = self
        for entry in entries where entry.label.form == .path { labels[entry.label] = UnicodeText.composed(entry.value) }
        return labels
    }
}
