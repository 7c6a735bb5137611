package import WaymarkSockets

/// Why a server could not start. The description is one line for the operator.
package enum ServerError: Error, Sendable, CustomStringConvertible {
    case bind(BindError)
    /// The system has no thread or descriptor left for an event loop.
    case eventLoop(SystemError)

    package var description: String {
        switch self {
        case .bind(let error): error.description
        case .eventLoop(let error): "cannot start an event loop: \(error)"
        }
    }
}
