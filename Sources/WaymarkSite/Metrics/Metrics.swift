import WaymarkHTTP
import WaymarkMetrics
import WaymarkServer

/// `/metrics`, in Prometheus' text format.
enum Metrics {
    /// The sources of metrics, at the time of a scrape.
    struct Moment {
        let site: Site
        let server: ServerStatistics
    }

    /// All metrics, in this order. docs/operations/metrics.md lists the same ones; a test compares them.
    static let families = requests + connections + links + verification + shipping + reading + association + store

    /// The text, to be sent to any number of scrapers.
    struct Rendered: Sendable {
        let plain: [UInt8]
        /// Nil if compression is not worthwhile.
        let compressed: [UInt8]?

        func response(isGzipPreferred: Bool) -> Response {
            guard isGzipPreferred, let compressed else {
                return Response(.ok, fields: Metrics.fields, body: .bytes(plain))
            }
            var fields = Metrics.fields
            fields.append(.contentEncoding, "gzip" as StaticString)
            return Response(.ok, fields: fields, body: .bytes(compressed))
        }
    }

    static func rendered(_ site: Site) async -> Rendered {
        await site.metrics.value {
            var text = PrometheusText()
            text.append(families, from: Moment(site: site, server: site.currentStatistics))
            if let metrics = site.currentTLSFigures { text.append(TLSMetrics.families, from: metrics) }
            text.append(site.furtherMetrics, from: ())
            text.append(ProcessMetrics.families, from: ProcessMetrics())
            let plain = Array(text.text.utf8)
            return Rendered(plain: plain, compressed: await site.compression.compressed(plain, isKept: false))
        }
    }

    private static let fields = HeaderFields(
        (.contentType, PrometheusText.contentType), (.cacheControl, "no-store"), (.vary, "Accept-Encoding"))
}
