/// A value of the app that is made from a URL: a template says which URLs, an initialiser takes what was found in them.
///
///     struct ShowPhoto: DeepLink {
///         static let template = DeepLinkTemplate()
///             .term("show").term("photo")
///             .queryStringParameters([.requiredString(named: "name")])
///
///         let name: String
///
///         init(values: DeepLinkValues) {
///             name = values.query["name"] as! String
///         }
///     }
public protocol DeepLink {
    /// Which URLs the value is made from, and what is taken out of them. It should give the same template every time.
    static var template: DeepLinkTemplate { get }

    /// Makes the value. Every name of the template's path and every required parameter is there, converted to its type.
    init(values: DeepLinkValues)
}
