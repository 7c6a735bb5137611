internal import CWaymarkOpenSSL

/// Moments in seconds since 1970, the form in which they are compared and told.
enum UnixTime {
    /// What the clock says now.
    static var now: Int64 { CWaymarkOpenSSL_now() }

    /// A time as certificates hold it; nil where it is none.
    static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64? {
        var days: Int32 = 0
        var seconds: Int32 = 0
        // unsafe because C objects are asked, and the epoch's is freed here.
        guard let time = unsafe time, let epoch = unsafe ASN1_TIME_set(nil, 0) else { return nil }
        defer { unsafe ASN1_STRING_free(epoch) }
        guard unsafe ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else { return nil }
        return Int64(days) * 86_400 + Int64(seconds)
    }
}
