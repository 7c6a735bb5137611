import ArgumentParser

/// A word in place of a command, as ArgumentParser does not name it: it reports an unexpected argument or option.
enum UnknownCommand {
    /// One sentence with the nearest command, or with all that there are; nil if the arguments begin with a command.
    static func sentence(_ arguments: some Sequence<String>) -> String? {
        var command: any ParsableCommand.Type = Waymark.self
        var path: [String] = []
        for word in arguments {
            let commands = command.configuration.subcommands.filter { $0.configuration.shouldDisplay }
            guard !commands.isEmpty, !word.hasPrefix("-"), word != "help" else { return nil }
            if let next = command.configuration.subcommands.first(where: { $0._commandName == word }) {
                command = next
                path.append(word)
                continue
            }
            let typed = (path + [word]).joined(separator: " ")
            let names = commands.map { $0._commandName }
            guard let name = nearest(word, in: names) else {
                return "there is no command \"\(typed)\"; give one of \(names.joined(separator: ", "))"
            }
            return "there is no command \"\(typed)\"; did you mean \"\((path + [name]).joined(separator: " "))\"?"
        }
        return nil
    }

    /// Words of other programs for the same.
    private static let synonyms = [
        "add": "create", "make": "create", "new": "create", "shorten": "create", "rm": "delete", "remove": "delete",
        "del": "delete", "ls": "list", "get": "show", "view": "show", "edit": "update", "set": "update", "mv": "rename",
        "start": "serve", "run": "serve", "server": "serve", "restore": "import", "verify": "check",
    ]

    private static func nearest(_ word: String, in names: [String]) -> String? {
        let word = word.lowercased()
        if let synonym = synonyms[word], names.contains(synonym) { return synonym }
        if word.count > 2, let longer = names.first(where: { $0.hasPrefix(word) }) { return longer }
        let limit = max(1, word.count / 3)
        let distances = names.map {
            (name: $0, distance: distance(Array(word.unicodeScalars), Array($0.unicodeScalars)))
        }
        return distances.filter { $0.distance <= limit }.min { $0.distance < $1.distance }?.name
    }

    /// How many scalars must be added, removed or replaced (Levenshtein).
    private static func distance(_ one: [Unicode.Scalar], _ other: [Unicode.Scalar]) -> Int {
        // No command is that long, and the work grows with the product.
        guard one.count <= 32 else { return .max }
        var row = Array(0...other.count)
        for (index, scalar) in one.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in other.indices {
                let replaced = diagonal + (scalar == other[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, diagonal + 1, row[column] + 1)
            }
        }
        return row[other.count]
    }
}
