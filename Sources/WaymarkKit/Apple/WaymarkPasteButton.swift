#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
    public import SwiftUI

    /// The system's paste button for the first launch: it opens the link that somebody followed before they
    /// had the app, and that the link's page has put on the clipboard at their tap.
    ///
    ///     WaymarkPasteButton(client, deeplinking)
    ///
    /// It shows itself only if the claim is open (`WaymarkClient.isClaimable`) and something like a URL is on
    /// the clipboard, and takes no room otherwise. Nothing is read before the tap, so the system asks
    /// nothing; text that is no link of the app is not sent anywhere.
    @MainActor
    public struct WaymarkPasteButton: View {
        private let client: WaymarkClient
        private let deeplinking: Deeplinking
        private let action: @MainActor (SmartlinkOpening?) -> Void
        @State private var isShown = false
        @Environment(\.scenePhase) private var scenePhase

        /// - Parameters:
        ///   - client: claims the link.
        ///   - deeplinking: opens it.
        ///   - action: called with the outcome of the tap; nil if there was no link. Default: nothing.
        public init(
            _ client: WaymarkClient, _ deeplinking: Deeplinking,
            action: @escaping @MainActor (SmartlinkOpening?) -> Void = { _ in }
        ) {
            self.client = client
            self.deeplinking = deeplinking
            self.action = action
        }

        public var body: some View {
            // A stack is there without the button too, so that the task runs.
            ZStack {
                if isShown {
                    // The page copies the link as text.
                    PasteButton(payloadType: String.self) { texts in claim(texts.first) }
                }
            }
            .task(id: scenePhase) { isShown = await client.hasClaimableClipboard() }
        }

        private func claim(_ text: String?) {
            Task { @MainActor in
                action(await client.openDeferredDeeplink(in: deeplinking, clipboard: text))
                isShown = await client.hasClaimableClipboard()
            }
        }
    }
#endif

#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
    public import UIKit

    /// `WaymarkPasteButton` for UIKit: a view with the system's paste control, hidden unless the claim is
    /// open and something like a URL is on the clipboard.
    ///
    ///     stack.addArrangedSubview(WaymarkPasteControl(client, deeplinking))
    @MainActor
    public final class WaymarkPasteControl: UIView {
        private let client: WaymarkClient
        private let deeplinking: Deeplinking
        private let action: @MainActor (SmartlinkOpening?) -> Void

        /// - Parameters:
        ///   - client: claims the link.
        ///   - deeplinking: opens it.
        ///   - configuration: the control's appearance. Default: the system's.
        ///   - action: called with the outcome of the tap; nil if there was no link. Default: nothing.
        public init(
            _ client: WaymarkClient, _ deeplinking: Deeplinking,
            configuration: UIPasteControl.Configuration? = nil,
            action: @escaping @MainActor (SmartlinkOpening?) -> Void = { _ in }
        ) {
            self.client = client
            self.deeplinking = deeplinking
            self.action = action
            super.init(frame: .zero)
            isHidden = true
            pasteConfiguration = UIPasteConfiguration(forAccepting: NSString.self)
            let control = UIPasteControl(configuration: configuration ?? UIPasteControl.Configuration())
            control.target = self
            control.translatesAutoresizingMaskIntoConstraints = false
            addSubview(control)
            NSLayoutConstraint.activate([
                control.topAnchor.constraint(equalTo: topAnchor),
                control.bottomAnchor.constraint(equalTo: bottomAnchor),
                control.leadingAnchor.constraint(equalTo: leadingAnchor),
                control.trailingAnchor.constraint(equalTo: trailingAnchor),
            ])
            NotificationCenter.default.addObserver(
                self, selector: #selector(refresh), name: UIApplication.didBecomeActiveNotification,
                object: nil)
        }

        @available(*, unavailable)
        public required init?(coder: NSCoder) {
            fatalError("WaymarkPasteControl is created with init(_:_:configuration:action:)")
        }

        public override func didMoveToWindow() {
            super.didMoveToWindow()
            refresh()
        }

        public override func paste(itemProviders: [NSItemProvider]) {
            guard let provider = itemProviders.first(where: { $0.canLoadObject(ofClass: NSString.self) })
            else {
                return
            }
            _ = provider.loadObject(ofClass: NSString.self) { @Sendable [weak self] text, _ in
                let text = text as? String
                Task { @MainActor [weak self] in await self?.claim(text) }
            }
        }

        private func claim(_ text: String?) async {
            action(await client.openDeferredDeeplink(in: deeplinking, clipboard: text))
            isHidden = !(await client.hasClaimableClipboard())
        }

        @objc private func refresh() {
            Task { @MainActor [weak self, client] in
                let isShown = await client.hasClaimableClipboard()
                self?.isHidden = !isShown
            }
        }
    }

    extension WaymarkClient {
        /// Whether the claim is open and something like a URL is on the clipboard. The clipboard is not read,
        /// and the person is not told: the system looks (`UIPasteboard.detectPatterns`).
        @MainActor
        public func hasClaimableClipboard() async -> Bool {
            guard isClaimable else { return false }
            return await withCheckedContinuation { continuation in
                // The handler runs on any thread.
                UIPasteboard.general.detectPatterns(for: [\UIPasteboard.DetectedValues.probableWebURL]) {
                    @Sendable result in
                    let patterns = (try? result.get()) ?? []
                    continuation.resume(
                        returning: patterns.contains(\UIPasteboard.DetectedValues.probableWebURL))
                }
            }
        }
    }
#elseif canImport(AppKit)
    import AppKit

    extension WaymarkClient {
        /// Whether the claim is open and text is on the clipboard. The clipboard is not read.
        @MainActor
        public func hasClaimableClipboard() async -> Bool {
            isClaimable && NSPasteboard.general.availableType(from: [.string]) != nil
        }
    }
#endif
