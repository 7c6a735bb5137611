import 'dart:async';

import 'deeplink.dart';
import 'link_keeper.dart';
import 'opening.dart';

/// What a route runs.
typedef DeeplinkTarget = FutureOr<void> Function(Deeplink deeplink);

/// Returns false to hold a link back, for example until the person has signed in.
typedef DeeplinkFilter = FutureOr<bool> Function(Deeplink deeplink);

/// Runs filters, handlers and the target of a link.
class LinkRunner {
  LinkRunner(this._keeper, this.tell);

  final LinkKeeper _keeper;
  final void Function(String step, {String? host, String? route}) tell;
  List<DeeplinkFilter> _filters = const [];
  List<void Function(Deeplink)> _handlers = const [];

  void Function() addFilter(DeeplinkFilter filter) {
    _filters = [..._filters, filter];
    return () => _filters = [..._filters]..remove(filter);
  }

  void Function() addHandler(void Function(Deeplink deeplink) handler) {
    _handlers = [..._handlers, handler];
    return () => _handlers = [..._handlers]..remove(handler);
  }

  /// Returns whether the target has run. [isLast] is false once another link was opened.
  Future<bool> run(RoutedLink link, {required bool Function() isLast}) async {
    final deeplink = link.deeplink;
    final host = link.host;
    // Filters and handlers may add or remove others; this link uses those registered when it arrived.
    final filters = _filters;
    final handlers = _handlers;
    final isResolved = !link.isUnresolved;
    bool superseded() {
      if (isLast()) return false;
      tell('superseded', route: deeplink.route, host: host);
      return true;
    }

    for (final filter in filters) {
      if (superseded()) return false;
      final passes = filter(deeplink);
      if (passes is Future<bool> && isResolved && isLast()) {
        // It is awaited below, after the storage.
        passes.ignore();
        // A sign-in may outlast the process.
        await _keeper.hold(link);
      }
      final isPassed = await passes;
      if (superseded()) return false;
      if (isPassed) continue;
      tell('heldBack', route: deeplink.route, host: host);
      if (await _keeper.hold(link)) tell('kept', route: deeplink.route);
      return false;
    }
    if (superseded()) return false;
    for (final handler in handlers) {
      handler(deeplink);
    }
    if (superseded()) return false;
    final kept = link.kept;
    if (isResolved && kept != null) await _keeper.begin(kept);
    if (superseded()) return false;
    // A late answer adds them.
    final hadMetadata = deeplink.metadata != null;
    try {
      await link.target!(deeplink);
    } finally {
      deeplink.wasOpened = true;
      // The default route of a failed link is not its target: it stays until it was resolved.
      if (isResolved && kept != null) {
        await _keeper.end(kept, hadMetadata: hadMetadata);
        link.kept = null;
      }
    }
    tell('opened', route: deeplink.route, host: host);
    return true;
  }
}
