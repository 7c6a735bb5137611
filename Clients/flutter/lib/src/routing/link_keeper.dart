import '../client/kept_links.dart';
import '../client/waymark_client.dart';
import '../client/waymark_exception.dart';
import 'opening.dart';

/// The router's links in the client's storage: of the installation, and the current one. Without a client
/// nothing is kept.
class LinkKeeper {
  const LinkKeeper(this._service);

  final RouterService? _service;

  int get now => _service!.clock.seconds;

  Future<KeptLink?> get current async => _service?.kept.update((pair) => pair.current);

  Future<KeptLink?> get installation async => _service?.kept.update((pair) => pair.installation);

  Future<void> store(KeptLink? link) async => _service?.kept.update((pair) => pair.current = link);

  /// The link becomes the current one: the one before is replaced, and the installation's has its own place.
  Future<void> replace(RoutedLink link) async => _service?.kept.update((pair) {
        final kept = link.kept;
        kept?.recorded = link.isRecorded;
        pair.current = link.isInstallation ? null : kept;
      });

  /// Stores the service's answer to a link before its request is over, and returns the link as it is stored. If
  /// the same link waits already, it keeps its metadata: the service gives them only as often as the redeem
  /// limit says.
  Future<KeptLink> receive(KeptLink link) => _service!.kept.update((pair) {
        final earlier = pair.current;
        if (earlier == null || earlier.url != link.url) return pair.current = link;
        final metadata = earlier.answer?['metadata'];
        return pair.current = KeptLink(
          url: link.url,
          answer: {...link.answer!, if (link.answer!['metadata'] == null) 'metadata': metadata},
          clickId: link.clickId,
          at: earlier.at,
          recorded: earlier.recorded || link.recorded,
        );
      });

  /// Keeps a link that a filter holds back or has not decided about, unless the service has refused it for
  /// good. Returns whether it is kept.
  Future<bool> hold(RoutedLink link) async {
    if (_service == null) return false;
    if (link.kept != null || link.deeplink.error != null) return link.kept != null;
    final kept = link.kept = KeptLink(
      url: link.deeplink.openedUrl,
      clickId: link.deeplink.clickId,
      at: now,
      recorded: link.isRecorded,
    );
    await store(kept);
    return true;
  }

  /// Keeps a link that could not be resolved, unless the error is for good. Returns whether it is kept.
  Future<bool> fail(RoutedLink link, WaymarkException error) async {
    if (_service == null) return false;
    final url = link.deeplink.openedUrl;
    link.kept = await _service!.kept.update((pair) {
      if (!error.isTransient) return pair.current = null;
      final stored = pair.current;
      final earlier = stored?.url == url ? stored : null;
      final kept = KeptLink(url: url, error: error.code.name, at: earlier?.at ?? now);
      // An answer may have come first.
      if (earlier?.answer == null) pair.current = kept;
      return kept;
    });
    return link.kept != null;
  }

  /// Counts a start of the link's target, before it runs.
  Future<void> begin(KeptLink kept) async => _service?.kept.update((_) => kept.starts += 1);

  /// The link's target has run.
  Future<void> end(KeptLink kept) async => _service?.kept.update((pair) {
        if (identical(pair.current, kept)) pair.current = null;
        if (identical(pair.installation, kept)) KeptLinks.end(kept);
      });
}
