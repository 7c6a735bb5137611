import ArgumentParser

/// A word in place of a command, as ArgumentParser does not name it: it reports an unexpected argument or option.
enum UnknownCommand {
    /// One sentence with the nearest command, or with all that there are; nil if the arguments begin with a command.
    static func sentence(_ arguments: some Sequence<String>) -> String? {
        var command: any ParsableCommand.Type = Waymark.self
        var path: [String] = []
        for word in arguments {
            let names = names(of: command)
            guard !names.isEmpty, !word.hasPrefix("-"), word != "help" else { return nil }
            if let next = command.configuration.subcommands.first(where: { $0._commandName == word }) {
                command = next
                path.append(word)
                continue
            }
            let typed = (path + [word]).joined(separator: " ")
            // `clicks` has records; what people ask for more often is how many there were.
            if path.isEmpty, synonyms[word] == "clicks" { return sentence(typed, meaning: ["links", "clicks"]) }
            if let name = nearest(word, in: names) {
                return sentence(typed, meaning: path + [name])
            }
            if path == ["clicks"] { return sentence(typed, meaning: ["links", "clicks"]) }
            // Other programs for links have these commands without a word before them.
            if path.isEmpty, let name = exact(word, in: self.names(of: LinksCommand.self)) {
                return sentence(typed, meaning: ["links", name])
            }
            return "there is no command \"\(typed)\"; give one of \(names.joined(separator: ", "))"
        }
        return nil
    }

    private static func sentence(_ typed: String, meaning path: [String]) -> String {
        "there is no command \"\(typed)\"; did you mean \"\(path.joined(separator: " "))\"?"
    }

    private static func names(of command: any ParsableCommand.Type) -> [String] {
        command.configuration.subcommands.filter { $0.configuration.shouldDisplay }.map { $0._commandName }
    }

    /// Words of other programs for the same.
    private static let synonyms = [
        "add": "create", "make": "create", "new": "create", "shorten": "create", "rm": "delete", "remove": "delete",
        "del": "delete", "ls": "list", "get": "show", "view": "show", "edit": "update", "set": "update", "mv": "rename",
        "start": "serve", "run": "serve", "server": "serve", "restore": "import", "verify": "check",
        "signin": "login", "auth": "login", "signout": "logout", "visits": "clicks", "stats": "clicks",
    ]

    private static func exact(_ word: String, in names: [String]) -> String? {
        let word = word.lowercased()
        if names.contains(word) { return word }
        return synonyms[word].flatMap { names.contains($0) ? $0 : nil }
    }

    private static func nearest(_ word: String, in names: [String]) -> String? {
        exact(word, in: names) ?? NearestName.of(word, in: names)
    }
}
