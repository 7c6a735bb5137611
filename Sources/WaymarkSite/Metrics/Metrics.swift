import WaymarkHTTP
import WaymarkMetrics
import WaymarkServer

/// `/metrics`, in Prometheus' text format.
enum Metrics {
    /// Whatever has figures, at the moment of a scrape.
    struct Moment {
        let site: Site
        let server: ServerStatistics
    }

    /// Everything that is shown, in this order. docs/operations/metrics.md lists the same; a test compares the two.
    static let families = requests + connections + links + store

    /// The text, ready to be sent to any number of scrapers.
    struct Rendered: Sendable {
        let plain: [UInt8]
        /// Nil where compressing does not pay.
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
