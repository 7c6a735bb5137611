@_exported public import Foundation

@preconcurrency @MainActor
open class UIView: UIResponder {
    public var isHidden = false
    public var translatesAutoresizingMaskIntoConstraints = true
    public private(set) var subviews: [UIView] = []
    public let topAnchor = NSLayoutAnchor()
    public let bottomAnchor = NSLayoutAnchor()
    public let leadingAnchor = NSLayoutAnchor()
    public let trailingAnchor = NSLayoutAnchor()

    public init(frame: CGRect) {
        super.init()
    }

    public required init?(coder: NSCoder) {
        super.init()
    }

    public func addSubview(_ view: UIView) {
        subviews.append(view)
    }

    open func didMoveToWindow() {}
}

@preconcurrency @MainActor
public final class NSLayoutAnchor {
    public func constraint(equalTo anchor: NSLayoutAnchor) -> NSLayoutConstraint { NSLayoutConstraint() }
}

@preconcurrency @MainActor
public final class NSLayoutConstraint {
    public static func activate(_ constraints: [NSLayoutConstraint]) {}
}

public final class UIPasteConfiguration: Sendable {
    public init(forAccepting type: NSString.Type) {}
}

@preconcurrency @MainActor
public final class UIPasteControl: UIView {
    public final class Configuration {
        public init() {}
    }

    public weak var target: UIResponder?

    public init(configuration: Configuration) {
        super.init(frame: .zero)
    }

    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    /// What the system does at a tap.
    public func tap() {
        target?.paste(itemProviders: [NSItemProvider(UIPasteboard.general.string ?? "")])
    }
}

@preconcurrency @MainActor
public final class UIPasteboard {
    public struct DetectedValues: Sendable {
        public var probableWebURL: String
    }

    public static let general = UIPasteboard()
    public var string: String?

    public func detectPatterns(
        for keyPaths: Set<PartialKeyPath<DetectedValues>>,
        completionHandler: @escaping @Sendable (Result<Set<PartialKeyPath<DetectedValues>>, any Error>) -> Void
    ) {
        completionHandler(.success(string?.contains("://") == true ? keyPaths : []))
    }
}

public final class NSItemProvider: Sendable {
    private let text: String

    init(_ text: String) {
        self.text = text
    }

    public func canLoadObject(ofClass type: NSString.Type) -> Bool { true }

    public func loadObject(
        ofClass type: NSString.Type, completionHandler: @escaping @Sendable (Any?, (any Error)?) -> Void
    ) -> Progress {
        completionHandler(text, nil)
        return Progress(totalUnitCount: 1)
    }
}

extension NotificationCenter {
    public func addObserver(
        _ observer: Any, selector: Selector, name: NSNotification.Name?, object: Any?
    ) {}
}
