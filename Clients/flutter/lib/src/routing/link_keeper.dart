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

  /// The link with this URL whose answer came with an earlier tap.
  Future<KeptLink?> answered(String url) async {
    final link = await current;
    return link?.url == url && link?.answer != null ? link : null;
  }

  Future<KeptLink?> get installation async => _service?.kept.update((pair) => pair.installation);

  Future<void> store(KeptLink? link) async => _service?.kept.update((pair) => pair.current = link);

  /// The link becomes the current one: the one before is replaced, unless it is the installation's, which has its own place.
  Future<void> replace(RoutedLink link) async => _service?.kept.update((pair) {
        final kept = link.kept;
        kept?.recorded = link.isRecorded;
        if (!link.isInstallation) pair.current = kept;
      });

  /// Stores the service's answer to a link before its request is over. Returns the link as it is stored. If the
  /// same link waits already, and this answer is `exhausted`, it keeps its metadata.
  Future<KeptLink> receive(KeptLink link) => _service!.kept.update((pair) {
        final earlier = pair.current;
        final answer = link.answer!;
        final redeem = answer['redeem'];
        final isExhausted = answer['metadata'] == null && redeem is Map && redeem['status'] == 'exhausted';
        if (!isExhausted || earlier?.answer == null || earlier!.url != link.url) return pair.current = link;
        return pair.current = KeptLink(
          url: link.url,
          answer: {...answer, 'metadata': earlier.answer!['metadata']},
          clickId: link.clickId,
          at: earlier.at,
          recorded: earlier.recorded || link.recorded,
        );
      });

  /// Keeps a link that a filter holds back or has not decided about, unless the service has refused it for
  /// good. Returns whether it is kept.
  Future<bool> hold(RoutedLink link) async {
    if (_service == null) return false;
    if (link.kept != null || link.isUnresolved) return link.kept != null;
    final kept = link.kept = KeptLink(
      url: link.deeplink.openedUrl,
      clickId: link.deeplink.clickId,
      error: link.deeplink.errorCode,
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
      final stored = pair.current;
      final earlier = stored?.url == url ? stored : null;
      if (!error.isTransient) {
        // Another link, and an answer that came before, are still to be shown.
        if (earlier != null && earlier.answer == null) pair.current = null;
        return null;
      }
      // An answer may have come first, or with an earlier opening of the link.
      if (earlier?.answer != null) return earlier;
      return pair.current = KeptLink(url: url, error: error.code.name, at: earlier?.at ?? now);
    });
    return link.kept != null;
  }

  /// Counts a start of the link's target, before it runs.
  Future<void> begin(KeptLink kept) async => _service?.kept.update((_) => kept.starts += 1);

  /// The link's target has run. Without [hadMetadata], those stay that came meanwhile.
  Future<void> end(KeptLink kept, {required bool hadMetadata}) async => _service?.kept.update((pair) {
        kept.starts = 0;
        final wasSeen = hadMetadata || kept.answer?['metadata'] == null;
        if (identical(pair.current, kept) && wasSeen) pair.current = null;
        if (identical(pair.installation, kept)) KeptLinks.end(kept);
      });
}
