import '../client/answers.dart';
import '../client/waymark_exception.dart';
import '../url/deep_link_url.dart';
import '../url/percent_encoding.dart';
import 'link_explanation.dart';
import 'link_reader.dart';
import 'opening.dart';

/// Says what opening a URL would do. Runs, records and stores nothing.
class LinkExplainer {
  const LinkExplainer(this._reader);

  final LinkReader _reader;

  /// With [asks] a smart link is resolved.
  Future<LinkExplanation> explain(
    String url, {
    required Future<ResolvedLink> Function(String smartlink)? asks,
  }) async {
    final isTooLong = byteLength(url) > LinkReader.urlLimit;
    final parts = DeepLinkUrl(isTooLong ? '' : url);
    final plan = _reader.planOf(url);
    if (plan == null) {
      final why = isTooLong ? 'tooLong' : 'foreignScheme';
      return LinkExplanation(outcome: 'notHandled', why: why, subject: parts.scheme ?? '');
    }
    final host = parts.host ?? '';
    final link = plan.link;
    if (link != null) {
      final isOtherHost = parts.isWeb && host != '';
      final why = _reader.hosts.contains(parts) ? 'lazyLink' : (isOtherHost ? 'otherHost' : 'appLink');
      return _explained(link, why, why == 'appLink' ? '${parts.scheme}' : host);
    }
    if (asks == null) {
      return LinkExplanation(outcome: 'resolves', why: 'smartlink', subject: host);
    }
    try {
      final answer = await asks(url);
      final answered = _reader.linkOf(answer, smartlink: url);
      return _explained(answered, answered.isByRoute ? 'answerRoute' : 'answerURL', host);
    } on WaymarkException catch (error) {
      final unknown = _reader.unknownAsRoute(parts, error);
      if (unknown != null) return _explained(unknown, 'unknownLink', host);
      return LinkExplanation(
        outcome: _withoutRoute,
        why: 'failed',
        error: error.code.name,
        subject: host,
      );
    }
  }

  String get _withoutRoute => _reader.defaultTarget == null ? 'nothing' : 'opensDefault';

  LinkExplanation _explained(RoutedLink link, String why, String subject) {
    final deeplink = link.deeplink;
    final url = DeepLinkUrl(deeplink.openedUrl!).withoutService;
    return LinkExplanation(
      outcome: deeplink.route != null ? 'opens' : _withoutRoute,
      why: why,
      url: url.text,
      route: deeplink.route,
      routeParameters: deeplink.route == null ? const {} : deeplink.routeParameters,
      otherRoutes: [
        for (final match in _reader.routes.matches(url))
          if (match.entry.format.text != deeplink.route) match.entry.format.text,
      ],
      subject: subject,
    );
  }
}
