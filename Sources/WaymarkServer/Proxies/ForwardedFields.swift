/// Which of the two kinds of fields trusted proxies use to name their client. A proxy writes one kind and usually passes the
/// other on as its client sent it, so a request that has both is never read by both.
package enum ForwardedFields: String, Sendable, CaseIterable {
    /// `X-Forwarded-For`, `X-Forwarded-Proto` and `X-Forwarded-Host`; where none of them is there, `Forwarded`.
    case either
    /// `X-Forwarded-For`, `X-Forwarded-Proto` and `X-Forwarded-Host` only.
    case xForwarded = "x-forwarded"
    /// `Forwarded` (RFC 7239) only.
    case forwarded
}
