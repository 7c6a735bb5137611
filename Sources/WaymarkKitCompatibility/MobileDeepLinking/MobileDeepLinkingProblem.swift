/// Something wrong with a configuration, and where it stands.
public struct MobileDeepLinkingProblem: Sendable, Hashable {
    /// From 1.
    public let line: Int
    /// From 1, in Unicode scalars.
    public let column: Int
    /// The names that lead there, joined by ` > ` (`routes > sales/:saleId > handlers`); empty for the whole text.
    public let path: String
    /// What is wrong, without a full stop.
    public let problem: String
}

extension MobileDeepLinkingProblem: CustomStringConvertible {
    /// One line: `line 3, column 7: routes > sales > class: must be a string, not a number`.
    public var description: String {
        "line \(line), column \(column): " + (path.isEmpty ? problem : path + ": " + problem)
    }
}

/// Why a configuration could not be read.
public struct MobileDeepLinkingConfigurationError: Error, Sendable, Hashable {
    /// Everything that is wrong, in the order of the file; at least one problem and at most 100.
    public let problems: [MobileDeepLinkingProblem]
}

extension MobileDeepLinkingConfigurationError: CustomStringConvertible {
    /// One line for each problem.
    public var description: String {
        problems.map(\.description).joined(separator: "\n")
    }
}
