import '../client/answers.dart';
import '../client/kept_links.dart';
import '../client/waymark_client.dart';
import 'link_keeper.dart';
import 'opening.dart';

/// Asks the service about links. An answer is stored before its request is over, unless another link was
/// opened since.
class LinkResolver {
  const LinkResolver(this._service, this._keeper);

  final RouterService _service;
  final LinkKeeper _keeper;

  /// Where a smart link leads.
  Future<ResolvedLink> resolve(String smartlink, bool Function() isLast) => _service.resolve(
        smartlink: smartlink,
        keep: (answer) async {
          final kept = KeptLink(url: smartlink, answer: answer.json, at: _keeper.now);
          if (isLast()) await _keeper.receive(kept);
        },
      );

  /// The metadata that a link announces. The link gets its place in the storage.
  Future<ResolvedLink> fetch(RoutedLink link, bool Function() isLast) => _service.resolve(
        clickId: link.deeplink.clickId!,
        keep: (answer) async {
          final kept = KeptLink(
            url: link.deeplink.openedUrl,
            answer: answer.json,
            clickId: link.deeplink.clickId,
            at: link.kept?.at ?? _keeper.now,
            recorded: link.isRecorded,
          );
          if (isLast()) link.kept = await _keeper.receive(kept);
        },
      );
}
