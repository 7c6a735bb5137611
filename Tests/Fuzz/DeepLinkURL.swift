// needs: WaymarkKit
// begins with: Tests/Fuzz/Corpus/DeepLinkURL
// longest: 1024

import WaymarkKit

/// Any text as a URL: its parts are the text, taking the service's parameters off comes to an end, and whatever a template
/// prints it reads back.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    let url = DeepLinkURL(text)
    let again = DeepLinkURL(
        scheme: url.scheme, authority: url.authority, path: url.path, query: url.query, fragment: url.fragment)
    precondition(again.text.utf8.elementsEqual(text.utf8), "the parts are not the text")
    precondition(again == url, "the parts are cut differently the second time")
    precondition(url.segments.count <= text.utf8.count && url.queryItems.count <= text.utf8.count + 1)

    let plain = url.separatingServiceParameters().url
    let (twice, service) = plain.separatingServiceParameters()
    precondition(twice == plain && service == ServiceParameters(), "parameters are left behind")

    let link = url.asAppLink(scheme: "app")
    precondition(link.scheme == "app" && link.query == url.query && link.fragment == url.fragment)

    let template = DeepLinkTemplate().string(named: "a").string(named: "b")
        .queryStringParameters([.optionalString(named: "q"), .optionalDouble(named: "d")])
    if let values = template.values(in: url), let printed = template.url(filledWith: values, scheme: "app") {
        guard let read = template.values(in: printed) else { preconditionFailure("what was printed is not read") }
        for name in ["a", "b"] {
            precondition(same(read.path[name], values.path[name]), "\(name) changed")
        }
        precondition(same(read.query["q"], values.query["q"]), "q changed")
    }
    return 0
}

private func same(_ left: (any Sendable)?, _ right: (any Sendable)?) -> Bool {
    guard let left = left as? String, let right = right as? String else { return left == nil && right == nil }
    return left.utf8.elementsEqual(right.utf8)
}
