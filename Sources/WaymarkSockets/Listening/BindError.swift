/// Why nothing can listen on an address. The description is one line for the operator.
package enum BindError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The name has no address.
    case unknownHost(String)
    /// Something listens there already, be it another process of this program.
    case addressInUse(String)
    /// Any other refusal, such as a privileged port or an address that this machine does not have.
    case failed(String, SystemError)
    /// At the path of a Unix-domain socket stands something else, which is left alone.
    case notASocket(String)
    /// systemd has handed over no socket of that name, or none at all.
    case notInherited(String)

    package var description: String {
        switch self {
        case .unknownHost(let host): "cannot listen on \(host): no such host"
        case .addressInUse(let address): "cannot listen on \(address): the address is already in use"
        case .failed(let address, let error): "cannot listen on \(address): \(error.reason)"
        case .notASocket(let path): "cannot listen on unix:\(path): the file exists and is no socket"
        case .notInherited(let endpoint): "cannot listen on \(endpoint): systemd has passed no such socket"
        }
    }
}
