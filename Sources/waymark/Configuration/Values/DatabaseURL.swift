import Foundation
import WaymarkSQLite

#if PostgreSQL
    import WaymarkPostgres
#endif

/// The database: `sqlite:PATH`, `sqlite::memory:` or `postgres://…`.
enum DatabaseURL: Equatable, Sendable {
    case memory
    case file(String)
    #if PostgreSQL
        /// The whole URL, which may contain a password.
        case postgres(String)
    #endif

    #if PostgreSQL
        static let allowed = "sqlite:PATH, sqlite::memory: or postgres://…"
    #else
        static let allowed = "sqlite:PATH or sqlite::memory: (this build has no PostgreSQL)"
    #endif

    /// Nil if the text is none of these.
    init?(_ text: String) {
        #if PostgreSQL
            if PostgresLinkStore.isNamed(by: text) {
                guard PostgresLinkStore.problem(with: text) == nil else { return nil }
                self = .postgres(text)
                return
            }
        #endif
        guard text.hasPrefix("sqlite:") else { return nil }
        let path = String(text.dropFirst("sqlite:".count))
        switch path {
        case "": return nil
        case ":memory:": self = .memory
        default: self = .file(path)
        }
    }

    /// The same with relative paths resolved in `folder`.
    func relative(to folder: String) -> DatabaseURL {
        if case .file(let path) = self { return .file(path.relative(to: folder)) }
        return self
    }

    /// Whether it is on a server, which may be temporarily unavailable.
    var isOnServer: Bool {
        switch self {
        #if PostgreSQL
            case .postgres: true
        #endif
        case .memory, .file: false
        }
    }

    /// Where its server listens for commands; the same for two names of one file. Nil for a database without a file.
    var ownerSocketPath: String? {
        guard case .file(let file) = self else { return nil }
        return URL(fileURLWithPath: file).resolvingSymlinksInPath().path + ".sock"
    }

    /// Whether it is a file that does not exist.
    ///
    /// False for a file in a folder that this user may not enter: whether it exists is unknown then, and `isForbidden`.
    var isMissing: Bool {
        guard let code = accessError(F_OK) else { return false }
        return code == ENOENT || code == ENOTDIR
    }

    /// Whether it is a file that this user may not read, or in a folder that this user may not enter.
    var isForbidden: Bool { accessError(R_OK) == EACCES }

    /// The `errno` of access(2); nil if the access is allowed, or if it is not a file.
    private func accessError(_ mode: Int32) -> Int32? {
        guard case .file(let path) = self else { return nil }
        // Safety: access reads the path as a C string that Swift lends for the call.
        guard unsafe access(path, mode) != 0 else { return nil }
        return errno
    }

    /// Whether it is a file that another process has locked.
    var isLocked: Bool {
        if case .file(let path) = self { return SQLiteArchive.isLocked(path: path) }
        return false
    }

    /// A form that may be shown: any part of a PostgreSQL URL may be secret.
    var text: String {
        switch self {
        #if PostgreSQL
            case .postgres: "postgres://…"
        #endif
        case .memory: "sqlite::memory:"
        case .file(let path): "sqlite:\(path)"
        }
    }
}

extension SettingType<DatabaseURL> {
    static var database: SettingType {
        string(
            DatabaseURL.allowed, placeholder: "url",
            convert: { text, source in
                guard let url = DatabaseURL(text) else {
                    #if PostgreSQL
                        if PostgresLinkStore.isNamed(by: text), let problem = PostgresLinkStore.problem(with: text) {
                            throw source.failure(problem)
                        }
                    #endif
                    // An invalid URL with user information may contain a password.
                    throw source.refusal(text: text.contains("@") ? "…" : text, allowed: DatabaseURL.allowed)
                }
                return url.relative(to: source.folder)
            }, write: \.text)
    }
}
