import 'dart:async';

import '../client/answers.dart';
import '../client/clock.dart';
import '../client/diagnostic.dart';
import '../client/kept_links.dart';
import '../client/waymark_client.dart';
import '../client/waymark_exception.dart';
import '../url/deep_link_url.dart';
import '../url/link_hosts.dart';
import '../url/percent_encoding.dart';
import 'deeplink.dart';
import 'deeplinking_exception.dart';
import 'link_explanation.dart';
import 'opening.dart';
import 'route_format.dart';
import 'route_table.dart';
import 'routing_dialect.dart';

/// What a route runs.
typedef DeeplinkTarget = FutureOr<void> Function(Deeplink deeplink);

/// Returns false to hold a link back, for example until the person has signed in.
typedef DeeplinkFilter = FutureOr<bool> Function(Deeplink deeplink);

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
        _routes = RouteTable(dialect),
        _service = client == null ? null : RouterService(client) {
    _hosts = LinkHosts(this.domains);
    // Apps without schemes have HOKO's; matching ignores it.
    _scheme = schemes.isEmpty ? 'app' : schemes.first;
  }

  static const _urlLimit = 16384;

  final WaymarkClient? client;
  final List<String> schemes;
  final List<String> domains;
  final RoutingDialect dialect;
  final Duration openingTimeLimit;
  final OnDiagnostic? onDiagnostic;

  final RouteTable<DeeplinkTarget> _routes;
  final RouterService? _service;
  late final LinkHosts _hosts;
  late final String _scheme;
  DeeplinkTarget? _default;
  List<DeeplinkFilter> _filters = const [];
  List<void Function(Deeplink)> _handlers = const [];

  RoutedLink? _current;

  /// The number of the last link that was opened, and of the one that waits for the service.
  int _last = 0;
  int? _waiting;
  bool _isRetrying = false;

  /// The last link that was opened, even if a filter holds it back or if it could not be resolved.
  Deeplink? get currentDeeplink => _current?.deeplink;

  // Routes

  /// Maps a route, such as `products/:product_id`. Throws a [DeeplinkingException] if it is mapped already.
  void map(String route, DeeplinkTarget target) {
    final format = RouteFormat(route);
    if (format.text == '') return mapDefault(target);
    if (!_routes.map(format, target)) {
      throw DeeplinkingException(
        DeeplinkingErrorCode.duplicateRoute,
        "the route '${format.text}' is mapped already",
        [format.text],
      );
    }
  }

  /// Runs for links that no route matches, and for smart links that can't be resolved.
  void mapDefault(DeeplinkTarget target) {
    if (_default != null && dialect.firstDefaultRouteStays) {
      throw const DeeplinkingException(
        DeeplinkingErrorCode.duplicateDefaultRoute,
        'the default route is mapped already',
      );
    }
    _default = target;
  }

  bool isMapped(String route) => _routes.contains(RouteFormat(route));

  /// The formats in order of priority.
  List<String> get mappedRoutes => _routes.formats;

  /// Returns the function that removes the filter.
  void Function() addFilter(DeeplinkFilter filter) {
    _filters = [..._filters, filter];
    return () => _filters = [..._filters]..remove(filter);
  }

  /// Handlers run for each link that passes the filters. Returns the function that removes this one.
  void Function() addHandler(void Function(Deeplink deeplink) handler) {
    _handlers = [..._handlers, handler];
    return () => _handlers = [..._handlers]..remove(handler);
  }

  // Opening

  /// Opens any URL that the app was opened with: a smart link, a link of the app's scheme, another web link.
  Future<Opening> open(String url) async {
    final plan = _planOf(url);
    if (plan == null) return _notHandled(url);
    return _openPlan(plan, ++_last);
  }

  /// Resolves a smart link and opens it. If that fails, the default route does not open.
  Future<Opening> openSmartlink(String smartlink) async {
    if (_planOf(smartlink) == null) return _notHandled(smartlink);
    return _resolveAndOpen(smartlink, ++_last, isOpen: false, opensDefault: false);
  }

  /// Whether [open] has something to do with the URL.
  bool canOpen(String url) {
    final plan = _planOf(url);
    return plan != null && (plan.link == null || plan.link!.target != null);
  }

  /// Opens the current link again: one that a filter held back, that came late, or that could not be
  /// resolved; after a restart the kept one. Null if there is none.
  Future<Opening?> openCurrentDeeplink() async {
    final current = _current;
    if (current != null) {
      final number = ++_last;
      if (current.deeplink.error == null) return _perform(current, number);
      final url = current.deeplink.openedUrl!;
      return _resolveAndOpen(url, number, isOpen: current.isOpen, opensDefault: false);
    }
    final service = _service;
    if (service == null) return null;
    final kept = await service.kept.update((pair) => pair.current);
    if (kept == null) return _openInstallation();
    _tell('restored');
    final url = kept.url!;
    final answer = kept.answer;
    if (answer != null && _hosts.contains(DeepLinkUrl(url))) {
      return _perform(_linkOf(readResolve(200, answer), smartlink: url, kept: kept), ++_last);
    }
    final plan = _planOf(url);
    if (plan == null) return null;
    plan.link?.kept = kept;
    if (answer == null || plan.link == null) return _openPlan(plan, ++_last);
    _add(readResolve(200, answer), plan.link!);
    return _perform(plan.link!, ++_last);
  }

  /// Claims the link that led to this installation and opens it, or opens the one that is kept. Null if there
  /// is none, or if another link was opened before, which ends the claim.
  Future<Opening?> openDeferred({String? referrer, String? clipboard}) async {
    final service = _service;
    if (service == null) return Opening(OpeningStatus.failed, null, _noService);
    final current = _current;
    if (current != null || _waiting == _last) {
      if (current != null && current.isInstallation && !current.deeplink.wasOpened) {
        return _perform(current, ++_last);
      }
      await client!.skipDeferred();
      return null;
    }
    final kept = await _openInstallation();
    if (kept != null) return kept;
    final number = _last;
    _tell('resolving', host: service.sender.address.host);
    final asked = await _ask(
      client!.claimDeferred(referrer: referrer, clipboard: clipboard),
      late: (asked) async {
        if (asked.error == null && asked.value != null) _tell('kept');
      },
    );
    if (asked.error != null) return Opening(OpeningStatus.failed, null, asked.error);
    if (asked.value == null) return null;
    final link = await service.kept.update((pair) => _linkOfInstallation(pair.installation));
    if (link == null) return null;
    if (number == _last) return _perform(link, ++_last);
    _tell('superseded');
    return Opening(OpeningStatus.notOpened, link.deeplink, null);
  }

  /// Resolves the current link again if it failed with a transient error. It opens only by
  /// [openCurrentDeeplink].
  Future<void> networkIsBack() async {
    final link = _current;
    final error = link?.deeplink.error;
    if (link == null || error == null || !WaymarkException.of(error).isTransient || _isRetrying) return;
    _isRetrying = true;
    final number = _last;
    final smartlink = link.deeplink.openedUrl!;
    _tell('resolving', host: DeepLinkUrl(smartlink).host);
    try {
      await _receive(await _resolve(number, smartlink: smartlink), number, link, smartlink);
    } finally {
      _isRetrying = false;
    }
  }

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
    if (client == null) throw _noService;
    return client!.createSmartlink(deeplink.linkRequest);
  }

  /// What [open] would do with the URL, and why. Runs, records and stores nothing. With [asksService] a smart
  /// link is resolved, without taking a redeem.
  Future<LinkExplanation> explain(String url, {bool asksService = false}) async {
    final isTooLong = byteLength(url) > _urlLimit;
    final parts = DeepLinkUrl(isTooLong ? '' : url);
    final plan = _planOf(url);
    if (plan == null) {
      final why = isTooLong ? 'tooLong' : 'foreignScheme';
      return LinkExplanation(outcome: 'notHandled', why: why, subject: parts.scheme ?? '');
    }
    final host = parts.host ?? '';
    final link = plan.link;
    if (link != null) {
      final why = _hosts.contains(parts) ? 'lazyLink' : (parts.isWeb && host != '' ? 'otherHost' : 'appLink');
      return _explained(link, why, why == 'appLink' ? '${parts.scheme}' : host);
    }
    if (!asksService || _service == null) {
      return LinkExplanation(outcome: 'resolves', why: 'smartlink', subject: host);
    }
    try {
      final answer = await _service!.peek(url);
      final answered = _linkOf(answer, smartlink: url);
      return _explained(answered, answered.isByRoute ? 'answerRoute' : 'answerURL', host);
    } on WaymarkException catch (error) {
      final unknown = _unknownAsRoute(parts, error);
      if (unknown != null) return _explained(unknown, 'unknownLink', host);
      return LinkExplanation(
        outcome: _default == null ? 'nothing' : 'opensDefault',
        why: 'failed',
        error: error.code.name,
        subject: host,
      );
    }
  }

  LinkExplanation _explained(RoutedLink link, String why, String subject) {
    final deeplink = link.deeplink;
    final url = DeepLinkUrl(deeplink.openedUrl!).withoutService;
    return LinkExplanation(
      outcome: deeplink.route != null ? 'opens' : (_default == null ? 'nothing' : 'opensDefault'),
      why: why,
      url: url.text,
      route: deeplink.route,
      routeParameters: deeplink.route == null ? const {} : deeplink.routeParameters,
      otherRoutes: [
        for (final match in _routes.matches(url))
          if (match.entry.format.text != deeplink.route) match.entry.format.text,
      ],
      subject: subject,
    );
  }

  // Planning

  /// What opening a URL takes: a link, or that a smart link is resolved. Null if it is not handled.
  OpeningPlan? _planOf(String text) {
    if (byteLength(text) > _urlLimit) return null;
    final url = DeepLinkUrl(text);
    if (!_isOfApp(url)) return null;
    var target = url;
    if (_hosts.contains(url)) {
      final destination = _lazyDestination(url);
      // Anybody can make a lazy link: `javascript:` must not reach a target that shows pages.
      final isBare = destination?.scheme == null;
      if (destination == null) return OpeningPlan.resolve(text);
      final isOfApp = isBare || destination.isWeb || schemes.contains(destination.scheme!.toLowerCase());
      if (!isOfApp) return OpeningPlan.resolve(text);
      target = isBare ? destination.asAppLink(_scheme) : destination;
    }
    if (target.isWeb && (target.host ?? '') != '') target = target.asAppLink(_scheme);
    final link = _linkOfUrl(target);
    final service = target.service;
    final fetches = service.needsMetadata &&
        service.clickId != null &&
        _service != null &&
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
  RoutedLink _linkOfUrl(DeepLinkUrl url, {bool isPlain = false}) {
    final plain = url.withoutService;
    final match = _routes.match(plain);
    final service = isPlain ? const ServiceParameters() : url.service;
    return RoutedLink(
      Deeplink.opened(
        route: match?.entry.format.text,
        routeParameters: match?.parameters ?? const {},
        queryParameters: dialect.queryParametersOf(plain),
        openedUrl: url.text,
        clickId: service.clickId,
      ),
      match?.entry.target ?? _default,
      // Services older than Waymark set `_hk_sid`.
      isFromSmartlink: service.clickId != null || service.smartlinkId != null,
    );
  }

  /// The link of an answer. Its route decides where it is mapped with a value for each variable, else its
  /// URL; a web page is a link of the app; without a URL the route is one.
  RoutedLink _linkOf(
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
      if (url.isWeb) url = url.asAppLink(_scheme);
    } else {
      final path = answer.route == null ? null : RouteFormat(answer.route!).filled(answer.routeParameters);
      final query = queryText(answer.queryParameters);
      url = DeepLinkUrl(
        DeepLinkUrl.joining(
          scheme: _scheme,
          authority: '',
          path: '/${path ?? ''}',
          query: query == '' ? null : query,
        ).text,
      );
    }
    final byUrl = _linkOfUrl(url);
    final entry = answer.route == null ? null : _routes.entry(answer.route!);
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

  RoutedLink? _linkOfInstallation(KeptLink? kept) {
    final answer = kept?.answer;
    if (answer == null || kept!.opened) return null;
    return _linkOf(readResolve(200, answer), clickId: kept.clickId, kept: kept, isDeferred: true);
  }

  /// A link of the app's own domain that the service does not know, as a mapped route of the app.
  RoutedLink? _unknownAsRoute(DeepLinkUrl url, WaymarkException error) {
    if (error.problem?.name != 'link-unknown' || !_hosts.contains(url)) return null;
    final link = _linkOfUrl(url.asAppLink(_scheme), isPlain: true);
    return link.deeplink.route == null ? null : link;
  }

  // Performing

  Future<Opening> _openPlan(OpeningPlan plan, int number) {
    final link = plan.link;
    if (link == null) return _resolveAndOpen(plan.smartlink!, number, isOpen: true, opensDefault: true);
    return plan.needsMetadata ? _fetchAndOpen(link, number) : _perform(link, number);
  }

  Future<Opening?> _openInstallation() async {
    final link = await _service!.kept.update((pair) => _linkOfInstallation(pair.installation));
    if (link == null) return null;
    _tell('restored');
    return _perform(link, ++_last);
  }

  Future<Opening> _resolveAndOpen(
    String smartlink,
    int number, {
    required bool isOpen,
    required bool opensDefault,
  }) async {
    final url = DeepLinkUrl(smartlink);
    final failed = RoutedLink(
      Deeplink.opened(
        route: null,
        routeParameters: const {},
        queryParameters: dialect.queryParametersOf(url.withoutService),
        openedUrl: smartlink,
      ),
      _default,
      isOpen: isOpen,
    );
    _waiting = number;
    _tell('resolving', host: url.host);
    final isSettled = Completer<void>();
    final asked = await _ask<ResolvedLink>(
      _service == null
          ? Future<ResolvedLink>.error(_noService)
          : _service!.resolve(
              smartlink: smartlink,
              keep: (answer) => _keep(number, KeptLink(url: smartlink, answer: answer.json, at: _now)),
            ),
      late: (asked) async {
        await isSettled.future;
        await _receive(asked, number, failed, smartlink);
      },
    );
    if (_waiting == number) _waiting = null;
    if (number != _last) {
      _tell('superseded');
      isSettled.complete();
      final error = asked.error;
      return Opening(error == null ? OpeningStatus.notOpened : OpeningStatus.failed, null, error);
    }
    final answer = asked.value;
    if (answer != null) {
      isSettled.complete();
      final kept = await _service!.kept.update((pair) => pair.current);
      return _perform(_linkOf(answer, smartlink: smartlink, kept: kept), number);
    }
    final error = asked.error!;
    final exception = WaymarkException.of(error);
    final unknown = isOpen ? _unknownAsRoute(url, exception) : null;
    if (unknown != null) {
      isSettled.complete();
      _tell('unknownAsRoute', route: unknown.deeplink.route);
      return _perform(unknown, number);
    }
    failed.deeplink.error = error;
    _current = failed;
    isSettled.complete();
    await _keepFailed(failed, exception);
    if (opensDefault && _default != null && number == _last) await _run(failed, number);
    return Opening(OpeningStatus.failed, failed.deeplink, error);
  }

  Future<Opening> _fetchAndOpen(RoutedLink link, int number) async {
    final clickId = link.deeplink.clickId!;
    _waiting = number;
    _tell('resolving', host: _service!.sender.address.host);
    final asked = await _ask<ResolvedLink>(
      _service!.resolve(
        clickId: clickId,
        keep: (answer) => _keep(
          number,
          link.kept = KeptLink(
            url: link.deeplink.openedUrl,
            answer: answer.json,
            clickId: clickId,
            at: _now,
            recorded: link.isRecorded,
          ),
        ),
      ),
      late: (asked) async {
        // Only the link that is still the current one gets it.
        final answer = asked.value;
        if (answer == null || number != _last) return;
        _add(answer, link);
        _tell('kept');
      },
    );
    if (_waiting == number) _waiting = null;
    if (number != _last) {
      _tell('superseded');
      return Opening(OpeningStatus.notOpened, link.deeplink, null);
    }
    // If it failed, the link opens without metadata.
    if (asked.value != null) _add(asked.value!, link);
    return _perform(link, number);
  }

  void _add(ResolvedLink answer, RoutedLink link) {
    link.deeplink.metadata = answer.metadata;
    link.deeplink.update = answer.update;
  }

  /// A late answer of the service: the current link becomes what it names, and waits for
  /// [openCurrentDeeplink].
  Future<void> _receive(Asked<ResolvedLink> asked, int number, RoutedLink failed, String smartlink) async {
    if (number != _last || _current != failed) return _tell('superseded');
    final answer = asked.value;
    if (answer == null) {
      failed.deeplink.error = asked.error;
      if (!WaymarkException.of(asked.error!).isTransient) {
        await _service?.kept.update((pair) => pair.current = null);
      }
      return;
    }
    final kept = await _service!.kept.update((pair) => pair.current);
    if (number != _last) return;
    _current = _linkOf(answer, smartlink: smartlink, kept: kept);
    _tell('kept');
  }

  Future<Asked<ResolvedLink>> _resolve(int number, {required String smartlink}) async {
    try {
      final answer = await _service!.resolve(
        smartlink: smartlink,
        keep: (answer) => _keep(number, KeptLink(url: smartlink, answer: answer.json, at: _now)),
      );
      _tell('resolved', host: DeepLinkUrl(smartlink).host);
      return Asked(answer, null);
    } on Object catch (error) {
      _tellFailure(error);
      return Asked(null, error);
    }
  }

  /// Waits for the service at most [openingTimeLimit]. The request goes on, and [late] gets its result.
  Future<Asked<Value>> _ask<Value>(
    Future<Value> request, {
    required Future<void> Function(Asked<Value> asked) late,
  }) {
    final clock = _service?.clock ?? const ClientClock();
    final began = clock.now();
    final result = Completer<Asked<Value>>();
    void end() {
      if (result.isCompleted) return;
      _tell('late');
      result.complete(Asked(null, const WaymarkException(WaymarkErrorCode.timedOut)));
    }

    final timer = clock.startTimer(openingTimeLimit, end);
    Future<void> receive(Asked<Value> asked) async {
      timer.cancel();
      // Timers stand still while the process sleeps.
      if (clock.now().difference(began) >= openingTimeLimit) end();
      final isLate = result.isCompleted;
      // What waits for the result goes first.
      if (isLate) await Future<void>.delayed(Duration.zero);
      if (asked.error == null) {
        _tell('resolved');
      } else {
        _tellFailure(asked.error!);
      }
      if (isLate) return late(asked);
      result.complete(asked);
    }

    unawaited(request.then(
      (value) => receive(Asked(value, null)),
      onError: (Object error) => receive(Asked(null, error)),
    ));
    return result.future;
  }

  /// Makes the link the current one, and runs filters, handlers and the target.
  Future<Opening> _perform(RoutedLink link, int number) async {
    if (link.target == null) {
      _tell('unrouted', host: _hostOf(link));
      if (dialect.keepsUnroutedDeeplink) await _makeCurrent(link);
      return Opening(OpeningStatus.notOpened, link.deeplink, null);
    }
    await _makeCurrent(link);
    final opened = await _run(link, number);
    return Opening(opened ? OpeningStatus.opened : OpeningStatus.notOpened, link.deeplink, null);
  }

  Future<void> _makeCurrent(RoutedLink link) async {
    _current = link;
    final deeplink = link.deeplink;
    if (link.isFromSmartlink && !link.isRecorded) {
      link.isRecorded = true;
      unawaited(client?.recordOpen(clickId: deeplink.clickId, smartlink: deeplink.smartlink));
    }
    await _service?.kept.update((pair) {
      final kept = link.kept;
      kept?.recorded = link.isRecorded;
      // The link before is replaced, and the installation's has its own place.
      pair.current = link.isInstallation ? null : kept;
    });
  }

  Future<bool> _run(RoutedLink link, int number) async {
    final deeplink = link.deeplink;
    final host = _hostOf(link);
    // Filters and handlers may add or remove others; this link uses those registered when it arrived.
    final filters = _filters;
    final handlers = _handlers;
    for (final filter in filters) {
      final passes = await filter(deeplink);
      if (number != _last) {
        _tell('superseded', route: deeplink.route, host: host);
        return false;
      }
      if (passes) continue;
      _tell('heldBack', route: deeplink.route, host: host);
      await _keepHeld(link);
      return false;
    }
    for (final handler in handlers) {
      handler(deeplink);
    }
    if (number != _last) {
      _tell('superseded', route: deeplink.route, host: host);
      return false;
    }
    final isResolved = deeplink.error == null;
    final kept = link.kept;
    if (isResolved && kept != null) await _service?.kept.update((_) => kept.starts += 1);
    if (number != _last) return false;
    try {
      await link.target!(deeplink);
    } finally {
      deeplink.wasOpened = true;
      // The default route of a failed link is not its target: it stays until it was resolved.
      if (isResolved && kept != null) {
        await _service?.kept.update((pair) {
          if (identical(pair.current, kept)) pair.current = null;
          if (identical(pair.installation, kept)) KeptLinks.end(kept);
        });
        link.kept = null;
      }
    }
    _tell('opened', route: deeplink.route, host: host);
    return true;
  }

  // Keeping

  int get _now => _service!.clock.seconds;

  /// Stores an answer before its request is over, unless another link was opened since.
  Future<void> _keep(int number, KeptLink kept) async {
    if (number == _last) await _service!.kept.update((pair) => pair.current = kept);
  }

  Future<void> _keepHeld(RoutedLink link) async {
    final service = _service;
    if (service == null) return;
    if (link.kept == null) {
      final kept = link.kept = KeptLink(
        url: link.deeplink.openedUrl,
        clickId: link.deeplink.clickId,
        error: link.deeplink.errorCode,
        at: _now,
        recorded: link.isRecorded,
      );
      await service.kept.update((pair) => pair.current = kept);
    }
    _tell('kept', route: link.deeplink.route);
  }

  Future<void> _keepFailed(RoutedLink link, WaymarkException error) async {
    final service = _service;
    if (service == null) return;
    final kept = !error.isTransient
        ? null
        : KeptLink(url: link.deeplink.openedUrl, error: error.code.name, at: _now);
    link.kept = kept;
    await service.kept.update((pair) {
      // A late answer may have come first.
      if (kept == null || pair.current?.answer == null || pair.current?.url != kept.url) {
        pair.current = kept;
      }
    });
    if (kept != null) _tell('kept');
  }

  // Telling

  Opening _notHandled(String url) {
    _tell('notHandled');
    return const Opening(OpeningStatus.notHandled, null, null);
  }

  String? _hostOf(RoutedLink link) {
    final smartlink = link.deeplink.smartlink;
    return smartlink == null ? null : DeepLinkUrl(smartlink).host;
  }

  void _tell(String step, {String? host, String? route}) =>
      onDiagnostic?.call(LinkDiagnostic(step, host: host, route: route));

  void _tellFailure(Object error) {
    final exception = WaymarkException.of(error);
    onDiagnostic?.call(
      LinkDiagnostic('resolveFailed', status: exception.status, error: exception.code.name),
    );
  }

  static const _noService =
      DeeplinkingException(DeeplinkingErrorCode.noService, 'no connection to the service was given');
}
