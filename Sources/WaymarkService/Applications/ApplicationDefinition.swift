package import WaymarkLinks

/// An application as submitted: the value and its JSON.
package struct ApplicationDefinition: Sendable, Equatable {
    package var application: Application
    package var document: [UInt8]

    package init(application: Application, document: [UInt8]) {
        self.application = application
        self.document = document
    }
}
