@_exported public import Foundation

@preconcurrency @MainActor
open class UIResponder: NSObject {
    public var pasteConfiguration: UIPasteConfiguration?

    public override init() {}

    open func paste(itemProviders: [NSItemProvider]) {}
}

/// A view controller without a view. UIKit lets any of its initialisers be called on a class that is only known when the
/// app runs; Swift asks for `required` here.
@preconcurrency @MainActor
open class UIViewController: UIResponder {
    public let nibName: String?
    public let nibBundle: Bundle?
    public fileprivate(set) weak var navigationController: UINavigationController?
    public private(set) var presentedViewController: UIViewController?
    public var title: String?

    public required init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        nibName = nibNameOrNil
        nibBundle = nibBundleOrNil
        super.init()
    }

    public override required convenience init() {
        self.init(nibName: nil, bundle: nil)
    }

    open func present(
        _ viewControllerToPresent: UIViewController, animated flag: Bool, completion: (() -> Void)? = nil
    ) {
        presentedViewController = viewControllerToPresent
        completion?()
    }

    // MARK: Key-value coding

    /// The properties that a class has for key-value coding: on Apple's systems those marked `@objc`.
    open var keys: [String: (Any?) -> Void] { [:] }

    open func responds(to selector: Selector) -> Bool {
        keys.keys.contains { "set" + $0.prefix(1).uppercased() + $0.dropFirst() + ":" == selector.name }
    }

    open func setValue(_ value: Any?, forKey key: String) {
        guard let set = keys[key] else { fatalError("NSUnknownKeyException: \(key)") }
        set(value)
    }

    open func validateValue(_ value: UnsafeMutablePointer<AnyObject?>, forKey key: String) throws {}
}

@preconcurrency @MainActor
open class UINavigationController: UIViewController {
    public var viewControllers: [UIViewController] = [] {
        didSet { for controller in viewControllers { controller.navigationController = self } }
    }

    public convenience init(rootViewController: UIViewController) {
        self.init(nibName: nil, bundle: nil)
        pushViewController(rootViewController, animated: false)
    }

    open func pushViewController(_ viewController: UIViewController, animated: Bool) {
        viewControllers.append(viewController)
    }

    open func setViewControllers(_ viewControllers: [UIViewController], animated: Bool) {
        self.viewControllers = viewControllers
    }

    open func popToRootViewController(animated: Bool) -> [UIViewController]? {
        guard viewControllers.count > 1 else { return nil }
        defer { viewControllers.removeLast(viewControllers.count - 1) }
        return Array(viewControllers.dropFirst())
    }
}

@preconcurrency @MainActor
open class UITabBarController: UIViewController {
    public var viewControllers: [UIViewController]?
    public var selectedIndex = 0

    public var selectedViewController: UIViewController? {
        get { viewControllers.flatMap { $0.indices.contains(selectedIndex) ? $0[selectedIndex] : nil } }
        set { selectedIndex = viewControllers?.firstIndex { $0 === newValue } ?? selectedIndex }
    }
}

@preconcurrency @MainActor
public final class UIStoryboard {
    /// The view controllers of all storyboards: `name/identifier`.
    public static var scenes: [String: @MainActor () -> UIViewController] = [:]

    private let name: String

    public init(name: String, bundle: Bundle?) {
        self.name = name
    }

    public func instantiateViewController(withIdentifier identifier: String) -> UIViewController {
        guard let make = Self.scenes["\(name)/\(identifier)"] else {
            fatalError("NSInvalidArgumentException: the storyboard \(name) has no view controller \(identifier)")
        }
        return make()
    }
}

public struct Selector: Sendable {
    let name: String
}

public func NSSelectorFromString(_ name: String) -> Selector {
    Selector(name: name)
}
