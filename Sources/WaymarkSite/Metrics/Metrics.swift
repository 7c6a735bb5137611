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

    /// Everything that is shown, in this order. docs/metrics.md lists the same, and a test holds the two together.
    static let families = requests + connections + links + store

    static func response(_ site: Site) -> Response {
        var text = PrometheusText()
        text.append(families, from: Moment(site: site, server: site.currentStatistics))
        if let figures = site.currentTLSFigures { text.append(TLSFigures.families, from: figures) }
        text.append(site.furtherMetrics, from: ())
        text.append(ProcessFigures.families, from: ProcessFigures())
        return Response(.ok, fields: fields, body: .bytes(Array(text.text.utf8)))
    }

    private static let fields = HeaderBlock(
        (.contentType, PrometheusText.contentType), (.cacheControl, "no-store"))
}
