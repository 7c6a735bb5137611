import WaymarkAPI
import WaymarkJSON

/// The body of `POST /api/v1/links:batch` with as many links as a server takes at once.
struct LinkBatch<Element> {
    let elements: ArraySlice<Element>
    let body: [UInt8]

    /// Takes the elements from the front. One that is larger than the limit goes alone, and the server answers for it.
    init(_ elements: inout ArraySlice<Element>, json: (Element) -> [UInt8]) {
        var texts: [[UInt8]] = []
        var bytes = 0
        for element in elements.prefix(BatchRequest.limit) {
            let text = json(element)
            guard texts.isEmpty || bytes + text.count <= linkBatchBytes else { break }
            bytes += text.count + 1
            texts.append(text)
        }
        self.elements = elements.prefix(texts.count)
        elements = elements.dropFirst(texts.count)
        body = JSONWriter.text { writer in
            writer.beginArray()
            for text in texts { writer.raw(text) }
            writer.endArray()
        }
    }
}

/// Half of what a server reads.
private let linkBatchBytes = 4 << 20
