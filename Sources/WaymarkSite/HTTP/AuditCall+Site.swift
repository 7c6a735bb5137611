import WaymarkServer
import WaymarkService
import WaymarkStores

extension Site {
    func auditCall(_ caller: KeyIdentity, _ peer: Peer) -> AuditCall {
        let isOwner = (peer.isOwner || options.isCommandLine) && caller == .environment
        return auditCall(isOwner ? AuditActor(.commandLine) : service.keys.actor(caller), peer)
    }

    /// Of a sign-in, which has yet to say whose it is.
    func signInCall(_ peer: Peer) -> AuditCall { auditCall(AuditActor(peer.isOwner ? .commandLine : .signIn), peer) }

    func auditCall(_ actor: AuditActor, _ peer: Peer) -> AuditCall {
        AuditCall(actor, from: AuditAddress(peer), at: now)
    }

    func noteRefusal(_ reason: String, _ peer: Peer) async {
        await service.refusedSignIns.note(
            reason, from: AuditAddress(peer), subscriber: peer.subscriber.addressText)
    }
}

extension AuditAddress {
    init(_ peer: Peer) {
        self = peer.isUnixSocket || peer.isLoopback ? .loopback : peer.isPrivate ? .private : .public
    }
}

extension Peer {
    /// A command on this machine.
    fileprivate var isOwner: Bool { role == .owner && !isForwarded }
}
