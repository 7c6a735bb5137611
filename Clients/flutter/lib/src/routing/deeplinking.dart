import '../client/diagnostic.dart';
import '../client/waymark_client.dart';
import '../url/link_hosts.dart';
import 'deeplink.dart';
import 'deeplinking_exception.dart';
import 'link_check.dart';
import 'link_explainer.dart';
import 'link_explanation.dart';
import 'link_opener.dart';
import 'link_reader.dart';
import 'link_runner.dart';
import 'opening.dart';
import 'route_format.dart';
import 'routing_dialect.dart';

/// The app's router: maps routes to code and opens links. The last link that was opened wins.
class Deeplinking {
  /// - [schemes]: the app's URL schemes. A URL of another scheme is not handled. Without any, all are.
  /// - [domains]: the hosts of the app's smart links. Default: those of [client].
  /// - [openingTimeLimit]: how long a link may wait for the service. At its end the default route opens, and
  ///   a later answer is kept for [openCurrentDeeplink].
  /// - [onDiagnostic]: is called with each step of an opening, without values.
  Deeplinking({
    this.client,
    List<String> schemes = const [],
    Iterable<String>? domains,
    this.dialect = RoutingDialect.standard,
    this.openingTimeLimit = const Duration(seconds: 5),
    this.onDiagnostic,
  })  : schemes = [for (final scheme in schemes) scheme.toLowerCase()],
        domains = [...domains ?? client?.domains ?? const <String>[]],
        _service = client == null ? null : RouterService(client) {
    _reader = LinkReader(
      schemes: schemes,
      hosts: LinkHosts(this.domains),
      dialect: dialect,
      fetchesMetadata: client != null,
    );
    _opener = LinkOpener(_service, _reader, openingTimeLimit: openingTimeLimit, onDiagnostic: onDiagnostic);
  }

  final WaymarkClient? client;
  final List<String> schemes;
  final List<String> domains;
  final RoutingDialect dialect;
  final Duration openingTimeLimit;
  final OnDiagnostic? onDiagnostic;

  final RouterService? _service;
  late final LinkReader _reader;
  late final LinkOpener _opener;

  /// The last link that was opened, even if a filter holds it back or if it could not be resolved.
  Deeplink? get currentDeeplink => _opener.current?.deeplink;

  // Routes

  /// Maps a route, such as `products/:product_id`. Throws a [DeeplinkingException] if it is mapped already.
  void map(String route, DeeplinkTarget target) {
    final format = RouteFormat(route);
    if (format.text == '') return mapDefault(target);
    if (!_reader.routes.map(format, target)) {
      throw DeeplinkingException(
        DeeplinkingErrorCode.duplicateRoute,
        "the route '${format.text}' is mapped already",
        [format.text],
      );
    }
  }

  /// Runs for links that no route matches, and for smart links that can't be resolved.
  void mapDefault(DeeplinkTarget target) {
    if (_reader.defaultTarget != null && dialect.firstDefaultRouteStays) {
      throw const DeeplinkingException(
        DeeplinkingErrorCode.duplicateDefaultRoute,
        'the default route is mapped already',
      );
    }
    _reader.defaultTarget = target;
  }

  bool isMapped(String route) => _reader.routes.contains(RouteFormat(route));

  /// The formats in order of priority.
  List<String> get mappedRoutes => _reader.routes.formats;

  /// Returns the function that removes the filter.
  void Function() addFilter(DeeplinkFilter filter) => _opener.runner.addFilter(filter);

  /// Handlers run for each link that passes the filters. Returns the function that removes this one.
  void Function() addHandler(void Function(Deeplink deeplink) handler) => _opener.runner.addHandler(handler);

  // Opening

  /// Opens any URL that the app was opened with: a smart link, a link of the app's scheme, another web link.
  Future<Opening> open(String url) => _opener.open(_reader.planOf(url));

  /// Resolves a smart link and opens it. If that fails, the default route does not open.
  Future<Opening> openSmartlink(String smartlink) => _opener.openSmartlink(smartlink);

  /// Whether [open] has something to do with the URL.
  bool canOpen(String url) {
    final plan = _reader.planOf(url);
    return plan != null && (plan.link == null || plan.link!.target != null);
  }

  /// Opens the current link again: one that a filter held back, that came late, or that could not be
  /// resolved; after a restart, and after a link that was refused for good or has no route, the kept one. Null
  /// if there is none, and while a newer link waits for the service.
  Future<Opening?> openCurrentDeeplink() => _opener.openCurrent();

  /// Claims the link that led to this installation and opens it, or opens the one that is kept. Null if there
  /// is none, or if another link was opened before, which ends the claim.
  Future<Opening?> openDeferred({String? referrer, String? clipboard}) =>
      _opener.openDeferred(referrer: referrer, clipboard: clipboard);

  /// Resolves the current link again if it failed with a transient error. It opens only by
  /// [openCurrentDeeplink].
  Future<void> networkIsBack() => _opener.networkIsBack();

  // Creating and explaining

  /// Creates the smart link of a deep link that has URLs or whose route is mapped.
  Future<String> generateSmartlink(Deeplink deeplink) {
    final route = deeplink.route;
    if (deeplink.urls.isEmpty && (route == null || !isMapped(route))) {
      throw DeeplinkingException(
        DeeplinkingErrorCode.routeNotMapped,
        "the route '${route ?? ''}' is not mapped",
        [route ?? ''],
      );
    }
    if (client == null) throw noService;
    return client!.createSmartlink(deeplink.linkRequest);
  }

  /// What [open] would do with the URL, and why. Runs, records and stores nothing. With [asksService] a smart
  /// link is resolved, without taking a redeem.
  Future<LinkExplanation> explain(String url, {bool asksService = false}) =>
      LinkExplainer(_reader).explain(url, asks: asksService ? _service?.peek : null);

  /// Compares the app with the service, for debug builds: prints and returns what `waymark doctor` would, and
  /// changes nothing. Needs a client.
  Future<List<LinkFinding>> check({void Function(String line) printLine = print}) {
    final service = _service;
    if (service == null) throw noService;
    return LinkCheck(service, _reader, domains, printLine).run();
  }
}
