import WaymarkSockets

/// What has been answered and the client has not taken yet. Empty, and without memory of its own, almost always.
///
/// It never holds more than one turn's small answers and one body, because a connection with pending output neither reads
/// nor answers.
struct PendingOutput {
    /// Copied from the loop's reply buffer.
    var bytes: [UInt8] = []
    /// How many of `bytes` are sent.
    var offset = 0
    /// The body behind `bytes`.
    var body = ResponseBody.none
    /// How much of `body` is sent.
    var bodyOffset = 0
    /// When output began to pend.
    var began = CoarseInstant.distantFuture
    /// When the client last took something.
    var progress = CoarseInstant.distantFuture
    /// Bytes taken since `began`.
    var taken = 0

    var isBlocked: Bool {
        if !bytes.isEmpty { return true }
        if case .none = body { return false }
        return true
    }
}
