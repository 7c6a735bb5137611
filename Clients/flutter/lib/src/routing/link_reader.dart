import '../client/answers.dart';
import '../client/kept_links.dart';
import '../client/waymark_exception.dart';
import '../url/deep_link_url.dart';
import '../url/link_hosts.dart';
import '../url/percent_encoding.dart';
import 'deeplink.dart';
import 'link_runner.dart';
import 'opening.dart';
import 'route_format.dart';
import 'route_table.dart';
import 'routing_dialect.dart';

/// Reads URLs and answers as links of the app, with their targets. Runs nothing.
class LinkReader {
  LinkReader({
    required List<String> schemes,
    required this.hosts,
    required this.dialect,
    required this.fetchesMetadata,
  })  : schemes = [for (final scheme in schemes) scheme.toLowerCase()],
        // Apps without schemes have HOKO's; matching ignores it.
        scheme = schemes.isEmpty ? 'app' : schemes.first,
        routes = RouteTable(dialect);

  /// In bytes.
  static const urlLimit = 16384;

  final List<String> schemes;
  final String scheme;
  final LinkHosts hosts;
  final RoutingDialect dialect;

  /// Whether there is a service to ask for metadata.
  final bool fetchesMetadata;
  final RouteTable<DeeplinkTarget> routes;
  DeeplinkTarget? defaultTarget;

  /// What opening a URL takes: a link, or that a smart link is resolved. Null if it is not handled.
  OpeningPlan? planOf(String text) {
    if (byteLength(text) > urlLimit) return null;
    final url = DeepLinkUrl(text);
    if (!_isOfApp(url)) return null;
    var target = url;
    if (hosts.contains(url)) {
      final destination = _lazyDestination(url);
      // Anybody can make a lazy link: `javascript:` must not reach a target that shows pages.
      final isBare = destination?.scheme == null;
      if (destination == null) return OpeningPlan.resolve(text);
      final isOfApp = isBare || destination.isWeb || schemes.contains(destination.scheme!.toLowerCase());
      if (!isOfApp) return OpeningPlan.resolve(text);
      target = isBare ? destination.asAppLink(scheme) : destination;
    }
    if (target.isWeb && (target.host ?? '') != '') target = target.asAppLink(scheme);
    final link = linkOfUrl(target);
    final service = target.service;
    final fetches = service.needsMetadata &&
        service.clickId != null &&
        fetchesMetadata &&
        (link.target != null || dialect.keepsUnroutedDeeplink);
    return OpeningPlan.link(link, needsMetadata: fetches);
  }

  bool _isOfApp(DeepLinkUrl url) =>
      schemes.isEmpty || url.isWeb || url.scheme == null || schemes.contains(url.scheme!.toLowerCase());

  /// The decoded destination of a lazy link (`/lazy?uri=shop%3A%2F%2Fproducts%2F42`); null for any other URL.
  DeepLinkUrl? _lazyDestination(DeepLinkUrl url) {
    final segments = url.segments;
    if (segments.length != 1 || segments.first != 'lazy') return null;
    final values = url.queryItems.where((item) => item.name == 'uri').map((item) => item.value);
    final text = values.isEmpty ? '' : decodeWhole(values.last ?? '', plusIsSpace: true);
    return text == '' ? null : DeepLinkUrl(text);
  }

  /// With [isPlain], the link has no click: it comes from no smart link.
  RoutedLink linkOfUrl(DeepLinkUrl url, {bool isPlain = false}) {
    final plain = url.withoutService;
    final match = routes.match(plain);
    final service = isPlain ? const ServiceParameters() : url.service;
    return RoutedLink(
      Deeplink.opened(
        route: match?.entry.format.text,
        routeParameters: match?.parameters ?? const {},
        queryParameters: dialect.queryParametersOf(plain),
        openedUrl: url.text,
        clickId: service.clickId,
      ),
      match?.entry.target ?? defaultTarget,
      // Services older than Waymark set `_hk_sid`.
      isFromSmartlink: service.clickId != null || service.smartlinkId != null,
    );
  }

  /// The link of an answer. Its route decides where it is mapped with a value for each variable, else its
  /// URL; a web page is a link of the app; without a URL the route is one.
  RoutedLink linkOf(
    ResolvedLink answer, {
    String? smartlink,
    String? clickId,
    KeptLink? kept,
    bool isDeferred = false,
  }) {
    final text = answer.deeplink;
    DeepLinkUrl url;
    if (text != null) {
      url = DeepLinkUrl(text);
      if (url.isWeb) url = url.asAppLink(scheme);
    } else {
      final path = answer.route == null ? null : RouteFormat(answer.route!).filled(answer.routeParameters);
      final query = queryText(answer.queryParameters);
      url = DeepLinkUrl(
        DeepLinkUrl.joining(
          scheme: scheme,
          authority: '',
          path: '/${path ?? ''}',
          query: query == '' ? null : query,
        ).text,
      );
    }
    final byUrl = linkOfUrl(url);
    final entry = answer.route == null ? null : routes.entry(answer.route!);
    final isByRoute =
        entry != null && entry.format.variables.every(answer.routeParameters.containsKey);
    final click = byUrl.deeplink.clickId ?? clickId;
    return RoutedLink(
      Deeplink.opened(
        route: isByRoute ? entry.format.text : byUrl.deeplink.route,
        routeParameters: isByRoute ? answer.routeParameters : byUrl.deeplink.routeParameters,
        queryParameters: {...byUrl.deeplink.queryParameters, ...answer.queryParameters},
        metadata: answer.metadata,
        update: answer.update,
        isDeferred: isDeferred,
        openedUrl: url.text,
        clickId: click,
        smartlink: smartlink,
      ),
      isByRoute ? entry.target : byUrl.target,
      isFromSmartlink: byUrl.isFromSmartlink || click != null || smartlink != null,
      isByRoute: isByRoute,
      isInstallation: isDeferred,
    )..kept = kept;
  }

  /// Whether the service was asked where a kept link leads: for one of [hosts], and by `openSmartlink` for one of
  /// any host; not where it was asked for metadata only.
  bool isSmartlink(KeptLink kept) {
    final url = DeepLinkUrl(kept.url!);
    final service = url.service;
    final isAsked = kept.answer != null || kept.error != null;
    return isAsked && (hosts.contains(url) || !service.needsMetadata || service.clickId == null);
  }

  RoutedLink? linkOfInstallation(KeptLink? kept) {
    final answer = kept?.answer;
    if (answer == null || kept!.opened) return null;
    return linkOf(readResolve(200, answer), clickId: kept.clickId, kept: kept, isDeferred: true);
  }

  /// A link of the app's own domain that the service does not know, as a mapped route of the app.
  RoutedLink? unknownAsRoute(DeepLinkUrl url, WaymarkException error) {
    if (error.problem?.name != 'link-unknown' || !hosts.contains(url)) return null;
    final link = linkOfUrl(url.asAppLink(scheme), isPlain: true);
    return link.deeplink.route == null ? null : link;
  }
}
