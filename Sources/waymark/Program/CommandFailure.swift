/// Why a command failed.
struct CommandFailure: Error {
    /// Invalid flags, values, keys or files.
    static let usage: Int32 = 2
    /// All other errors.
    static let failed: Int32 = 1

    let message: String
    let status: Int32

    static func usage(_ message: String) -> CommandFailure { CommandFailure(message: message, status: usage) }
    static func failed(_ message: String) -> CommandFailure { CommandFailure(message: message, status: failed) }
}
