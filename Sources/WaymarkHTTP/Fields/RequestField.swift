/// The request fields that Waymark uses, indexed while a head is parsed so that a lookup costs one load.
///
/// `RequestHead.value(named:in:)` finds any other field by its name.
@usableFromInline
package enum RequestField: UInt8, Sendable, CaseIterable {
    case accept, acceptEncoding, acceptLanguage, accessControlRequestHeaders, accessControlRequestMethod
    case authorization, cacheControl, connection, contentEncoding, contentLength, contentType, cookie, date, dnt,
        earlyData
    case expect, forwarded, host, idempotencyKey, ifMatch, ifModifiedSince, ifNoneMatch, ifRange, ifUnmodifiedSince
    case keepAlive, origin, pragma, priority, purpose, range, referer
    case secChUa, secChUaMobile, secChUaModel, secChUaPlatform, secFetchDest, secFetchMode, secFetchSite, secFetchUser,
        secGPC
    case secPurpose, te, traceparent, trailer, transferEncoding, upgrade, upgradeInsecureRequests, userAgent, via
    case xForwardedFor, xForwardedHost, xForwardedProto, xMoz, xPurpose, xRealIP, xRequestedWith

    /// The field with this name, ignoring case.
    ///
    /// The length selects a few candidates, and comparing words of eight bytes distinguishes those: cheaper than
    /// hashing.
    @inline(__always)
    init?(_ bytes: Span<UInt8>, start: Int, count: Int) {
        precondition(start >= 0 && count >= 0 && count <= bytes.count &- start, "a name lies within the bytes")
        // unsafe because the loads are unchecked; each literal below has exactly the length of its case.
        @inline(__always) func isNamed(_ literal: StaticString) -> Bool {
            unsafe WordScan.compare(bytes, start, literal, folding: true)
        }
        switch count {
        case 2 where isNamed("te"): self = .te
        case 3 where isNamed("via"): self = .via
        case 3 where isNamed("dnt"): self = .dnt
        case 4 where isNamed("host"): self = .host
        case 4 where isNamed("date"): self = .date
        case 5 where isNamed("range"): self = .range
        case 5 where isNamed("x-moz"): self = .xMoz
        case 6 where isNamed("accept"): self = .accept
        case 6 where isNamed("cookie"): self = .cookie
        case 6 where isNamed("origin"): self = .origin
        case 6 where isNamed("expect"): self = .expect
        case 6 where isNamed("pragma"): self = .pragma
        case 7 where isNamed("referer"): self = .referer
        case 7 where isNamed("purpose"): self = .purpose
        case 7 where isNamed("upgrade"): self = .upgrade
        case 7 where isNamed("trailer"): self = .trailer
        case 7 where isNamed("sec-gpc"): self = .secGPC
        case 8 where isNamed("if-match"): self = .ifMatch
        case 8 where isNamed("if-range"): self = .ifRange
        case 8 where isNamed("priority"): self = .priority
        case 9 where isNamed("sec-ch-ua"): self = .secChUa
        case 9 where isNamed("x-purpose"): self = .xPurpose
        case 9 where isNamed("x-real-ip"): self = .xRealIP
        case 9 where isNamed("forwarded"): self = .forwarded
        case 10 where isNamed("user-agent"): self = .userAgent
        case 10 where isNamed("connection"): self = .connection
        case 10 where isNamed("keep-alive"): self = .keepAlive
        case 10 where isNamed("early-data"): self = .earlyData
        case 11 where isNamed("sec-purpose"): self = .secPurpose
        case 11 where isNamed("traceparent"): self = .traceparent
        case 12 where isNamed("content-type"): self = .contentType
        case 13 where isNamed("cache-control"): self = .cacheControl
        case 13 where isNamed("authorization"): self = .authorization
        case 13 where isNamed("if-none-match"): self = .ifNoneMatch
        case 14 where isNamed("sec-fetch-dest"): self = .secFetchDest
        case 14 where isNamed("sec-fetch-mode"): self = .secFetchMode
        case 14 where isNamed("sec-fetch-site"): self = .secFetchSite
        case 14 where isNamed("sec-fetch-user"): self = .secFetchUser
        case 14 where isNamed("content-length"): self = .contentLength
        case 15 where isNamed("accept-encoding"): self = .acceptEncoding
        case 15 where isNamed("accept-language"): self = .acceptLanguage
        case 15 where isNamed("sec-ch-ua-model"): self = .secChUaModel
        case 15 where isNamed("x-forwarded-for"): self = .xForwardedFor
        case 15 where isNamed("idempotency-key"): self = .idempotencyKey
        case 16 where isNamed("sec-ch-ua-mobile"): self = .secChUaMobile
        case 16 where isNamed("content-encoding"): self = .contentEncoding
        case 16 where isNamed("x-forwarded-host"): self = .xForwardedHost
        case 16 where isNamed("x-requested-with"): self = .xRequestedWith
        case 17 where isNamed("transfer-encoding"): self = .transferEncoding
        case 17 where isNamed("if-modified-since"): self = .ifModifiedSince
        case 17 where isNamed("x-forwarded-proto"): self = .xForwardedProto
        case 18 where isNamed("sec-ch-ua-platform"): self = .secChUaPlatform
        case 19 where isNamed("if-unmodified-since"): self = .ifUnmodifiedSince
        case 25 where isNamed("upgrade-insecure-requests"): self = .upgradeInsecureRequests
        case 29 where isNamed("access-control-request-method"): self = .accessControlRequestMethod
        case 30 where isNamed("access-control-request-headers"): self = .accessControlRequestHeaders
        default: return nil
        }
    }

    /// This field's bit in a set of fields.
    @inlinable @inline(__always)
    package var bit: UInt64 { 1 &<< UInt64(rawValue) }
}
