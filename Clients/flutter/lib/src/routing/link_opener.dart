import 'dart:async';

import '../client/answers.dart';
import '../client/clock.dart';
import '../client/diagnostic.dart';
import '../client/kept_links.dart';
import '../client/waymark_client.dart';
import '../client/waymark_exception.dart';
import '../url/deep_link_url.dart';
import 'deeplink.dart';
import 'deeplinking_exception.dart';
import 'link_keeper.dart';
import 'link_reader.dart';
import 'link_resolver.dart';
import 'link_runner.dart';
import 'opening.dart';
import 'timed_request.dart';

/// Opens links: asks the service where one leads, keeps what it answers, and runs filters, handlers and the
/// target. The last link wins.
class LinkOpener {
  LinkOpener(this._service, this._reader, {required this.openingTimeLimit, required this.onDiagnostic})
      : _keeper = LinkKeeper(_service);

  final RouterService? _service;
  final LinkReader _reader;
  final LinkKeeper _keeper;
  final Duration openingTimeLimit;
  final OnDiagnostic? onDiagnostic;
  late final _resolver = LinkResolver(_service!, _keeper);
  late final runner = LinkRunner(_keeper, _tell);

  /// The last link that was opened, even if a filter holds it back or if it could not be resolved.
  RoutedLink? get current => _current;
  RoutedLink? _current;

  /// The number of the last link that was opened, and of the one that waits for the service.
  int _last = 0;
  int? _waiting;
  bool _isRetrying = false;

  /// Whether a link was opened or waits for the service. What is kept gives way to it.
  bool get _hasLink => _current != null || _waiting == _last;

  /// Opens what [LinkReader.planOf] has read; null is not handled.
  Future<Opening> open(OpeningPlan? plan) async {
    if (plan == null) return _notHandled();
    return _openPlan(plan, ++_last);
  }

  /// Resolves a smart link and opens it. If that fails, the default route does not open.
  Future<Opening> openSmartlink(String smartlink) async {
    if (_reader.planOf(smartlink) == null) return _notHandled();
    return _resolveAndOpen(smartlink, ++_last, isOpen: false, opensDefault: false);
  }

  Future<Opening?> openCurrent() async {
    final current = _current;
    // Another link is newer.
    if (_waiting == _last) return null;
    if (current == null || current.isRefused || current.target == null && !current.isUnresolved) {
      final kept = await _openKept(current);
      if (kept != null || _current != current || _waiting == _last) return kept;
    }
    if (current != null) {
      final number = ++_last;
      if (!current.isUnresolved) {
        // Only links without their metadata have an error.
        final isWhole = current.deeplink.error == null;
        return isWhole ? _perform(current, number) : _fetchAndOpen(current, number);
      }
      final url = current.deeplink.openedUrl!;
      return _resolveAndOpen(url, number, isOpen: current.isOpen, opensDefault: false);
    }
    return null;
  }

  /// Opens the kept link, unless another one than [current] was opened or waits for the service.
  Future<Opening?> _openKept(RoutedLink? current) async {
    bool isNewest() => _current == current && _waiting != _last;
    if (_service == null || !isNewest()) return null;
    final kept = await _keeper.current;
    if (kept == null) return _openInstallation(isNewest);
    if (!isNewest()) return null;
    _tell('restored');
    final url = kept.url!;
    final answer = kept.answer;
    // The default route has run for a link that failed.
    final opensDefault = kept.error == null;
    if (_reader.isSmartlink(kept)) {
      return answer != null
          ? _perform(_reader.linkOf(readResolve(200, answer), smartlink: url, kept: kept), ++_last)
          : _resolveAndOpen(url, ++_last, isOpen: true, opensDefault: opensDefault);
    }
    final plan = _reader.planOf(url);
    if (plan == null) return null;
    plan.link?.kept = kept;
    if (answer == null || plan.link == null) {
      return _openPlan(plan, ++_last, opensDefault: opensDefault);
    }
    _add(readResolve(200, answer), plan.link!);
    return _perform(plan.link!, ++_last);
  }

  Future<Opening?> openDeferred({String? referrer, String? clipboard}) async {
    final service = _service;
    if (service == null) return Opening(OpeningStatus.failed, null, noService);
    final kept = await _openInstallation(() => !_hasLink);
    if (kept != null) return kept;
    if (_hasLink) {
      await service.client.skipDeferred();
      return null;
    }
    final number = _last;
    _tell('resolving', host: service.sender.address.host);
    final asked = await _ask(
      service.client.claimDeferred(referrer: referrer, clipboard: clipboard),
      late: (asked) async {
        if (asked.error == null && asked.value != null) _tell('kept');
      },
    );
    if (asked.error != null) return Opening(OpeningStatus.failed, null, asked.error);
    if (asked.value == null) return null;
    final link = _reader.linkOfInstallation(await _keeper.installation);
    if (link == null) return null;
    if (number == _last) return _perform(link, ++_last);
    _tell('superseded');
    return Opening(OpeningStatus.notOpened, link.deeplink, null);
  }

  Future<void> networkIsBack() async {
    final link = _current;
    final error = link?.deeplink.error;
    if (link == null || error == null || !WaymarkException.of(error).isTransient) return;
    if (_isRetrying || _waiting == _last) return;
    _isRetrying = true;
    final number = _last;
    final smartlink = link.isUnresolved ? link.deeplink.openedUrl! : null;
    final host = smartlink == null ? _service!.sender.address.host : DeepLinkUrl(smartlink).host;
    _tell('resolving', host: host);
    try {
      bool isLast() => number == _last;
      final asked = await _outcome(
        smartlink == null ? _resolver.fetch(link, isLast) : _resolver.resolve(smartlink, isLast),
        host,
      );
      if (smartlink == null) return _receiveMetadata(asked, number, link);
      await _receive(asked, number, link, smartlink);
    } finally {
      _isRetrying = false;
    }
  }

  // Performing

  Future<Opening> _openPlan(OpeningPlan plan, int number, {bool opensDefault = true}) {
    final link = plan.link;
    if (link == null) {
      return _resolveAndOpen(plan.smartlink!, number, isOpen: true, opensDefault: opensDefault);
    }
    return plan.needsMetadata ? _fetchAndOpen(link, number) : _perform(link, number);
  }

  Future<Opening?> _openInstallation(bool Function() isNewest) async {
    if (!isNewest()) return null;
    final link = _reader.linkOfInstallation(await _keeper.installation);
    if (link == null || !isNewest()) return null;
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
        queryParameters: _reader.dialect.queryParametersOf(url.withoutService),
        openedUrl: smartlink,
      ),
      _reader.defaultTarget,
      isOpen: isOpen,
      isUnresolved: true,
    );
    _waiting = number;
    _tell('resolving', host: url.host);
    final isSettled = Completer<void>();
    final earlier = _keeper.answered(smartlink);
    final asked = await _ask<ResolvedLink>(
      _service == null
          ? Future<ResolvedLink>.error(noService)
          : _resolver.resolve(smartlink, () => number == _last),
      late: (asked) async {
        await isSettled.future;
        await _receive(asked, number, failed, smartlink);
      },
    );
    final answer = asked.value;
    final kept = answer == null ? null : await _keeper.current;
    if (_waiting == number) _waiting = null;
    if (number != _last) {
      _tell('superseded');
      isSettled.complete();
      final error = asked.error;
      return Opening(error == null ? OpeningStatus.notOpened : OpeningStatus.failed, null, error);
    }
    if (answer != null) {
      isSettled.complete();
      return _perform(_linkOf(answer, smartlink, kept), number);
    }
    final error = asked.error!;
    final exception = WaymarkException.of(error);
    final known = exception.isTransient ? await earlier : null;
    if (known != null && number == _last) {
      isSettled.complete();
      final answer = readResolve(200, known.answer!);
      return _openWithEarlierAnswer(_linkOf(answer, smartlink, known), mayOpen: asked.mayOpen);
    }
    final unknown = isOpen ? _reader.unknownAsRoute(url, exception) : null;
    if (unknown != null) {
      isSettled.complete();
      _tell('unknownAsRoute', route: unknown.deeplink.route);
      return _perform(unknown, number);
    }
    failed.deeplink.error = error;
    _current = failed;
    isSettled.complete();
    if (await _keeper.fail(failed, exception)) _tell('kept');
    if (opensDefault && asked.mayOpen && _reader.defaultTarget != null && number == _last) {
      await runner.run(failed, isLast: () => number == _last);
    }
    return Opening(OpeningStatus.failed, failed.deeplink, error);
  }

  Future<Opening> _fetchAndOpen(RoutedLink link, int number) async {
    _waiting = number;
    final earlier = _keeper.answered(link.deeplink.openedUrl!);
    _tell('resolving', host: _service!.sender.address.host);
    final asked = await _ask<ResolvedLink>(
      _resolver.fetch(link, () => number == _last),
      // Only the link that is still the current one gets it.
      late: (asked) async => _receiveMetadata(asked, number, link),
    );
    final known = asked.error == null ? null : await earlier;
    final kept = known ?? await _keeper.current;
    if (_waiting == number) _waiting = null;
    if (number != _last) {
      _tell('superseded');
      return Opening(OpeningStatus.notOpened, link.deeplink, null);
    }
    link.deeplink.error = asked.error;
    if (kept?.answer != null && kept!.url == link.deeplink.openedUrl) {
      link.kept = kept;
      _add(readResolve(200, kept.answer!), link);
      if (known != null) return _openWithEarlierAnswer(link, mayOpen: asked.mayOpen);
    }
    if (asked.mayOpen) return _perform(link, number);
    await _makeCurrent(link);
    if (number == _last && await _keeper.hold(link)) _tell('kept');
    return Opening(OpeningStatus.notOpened, link.deeplink, null);
  }

  /// The service could not be asked, but has answered an earlier tap, which was not shown. What may still come says no
  /// more: it is not taken.
  Future<Opening> _openWithEarlierAnswer(RoutedLink link, {required bool mayOpen}) async {
    _tell('restored');
    final number = ++_last;
    if (mayOpen) return _perform(link, number);
    await _makeCurrent(link);
    _tell('kept');
    return Opening(OpeningStatus.notOpened, link.deeplink, null);
  }

  void _receiveMetadata(Asked<ResolvedLink> asked, int number, RoutedLink link) {
    if (number != _last) return;
    final answer = link.kept?.answer;
    if (asked.error != null) link.deeplink.error = asked.error;
    // It may have opened with the answer already.
    if (asked.error != null || answer == null) return;
    _add(readResolve(200, answer), link);
    _tell('kept');
  }

  void _add(ResolvedLink answer, RoutedLink link) {
    link.deeplink.error = null;
    link.deeplink.metadata = answer.metadata;
    link.deeplink.update = answer.update;
  }

  /// A late answer of the service: the current link becomes what it names, and waits for
  /// [openCurrentDeeplink].
  Future<void> _receive(Asked<ResolvedLink> asked, int number, RoutedLink failed, String smartlink) async {
    if (number != _last || _current != failed) return _tell('superseded');
    final answer = asked.value;
    if (answer == null) {
      final error = WaymarkException.of(asked.error!);
      final unknown = failed.isOpen ? _reader.unknownAsRoute(DeepLinkUrl(smartlink), error) : null;
      if (unknown != null) {
        _tell('unknownAsRoute', route: unknown.deeplink.route);
        _current = unknown;
        return;
      }
      failed.deeplink.error = asked.error;
      if (!error.isTransient) await _keeper.fail(failed, error);
      return;
    }
    final kept = await _keeper.current;
    if (number != _last) return;
    _current = _linkOf(answer, smartlink, kept);
    _tell('kept');
  }

  /// The link of an answer as it is kept, with the metadata of an earlier one.
  RoutedLink _linkOf(ResolvedLink answer, String smartlink, KeptLink? kept) {
    final merged = kept?.url == smartlink ? kept!.answer : null;
    return _reader.linkOf(
      merged == null ? answer : readResolve(200, merged),
      smartlink: smartlink,
      kept: kept,
    );
  }

  /// Makes the link the current one, and runs filters, handlers and the target.
  Future<Opening> _perform(RoutedLink link, int number) async {
    if (link.target == null) {
      _tell('unrouted', host: link.host);
      if (_reader.dialect.keepsUnroutedDeeplink) {
        // Shown or not, an answer is in the storage; else the link takes no other's place there.
        link.kept == null ? _setCurrent(link) : await _makeCurrent(link);
      }
      return Opening(OpeningStatus.notOpened, link.deeplink, null);
    }
    await _makeCurrent(link);
    final opened = await runner.run(link, isLast: () => number == _last);
    return Opening(opened ? OpeningStatus.opened : OpeningStatus.notOpened, link.deeplink, null);
  }

  Future<void> _makeCurrent(RoutedLink link) async {
    _setCurrent(link);
    await _keeper.replace(link);
  }

  void _setCurrent(RoutedLink link) {
    _current = link;
    final deeplink = link.deeplink;
    if (link.isFromSmartlink && !link.isRecorded) {
      link.isRecorded = true;
      unawaited(_service?.client.recordOpen(clickId: deeplink.clickId, smartlink: deeplink.smartlink));
    }
  }

  Future<Asked<Value>> _outcome<Value>(Future<Value> request, String? host) async {
    try {
      final value = await request;
      _tell('resolved', host: host);
      return Asked(value, null);
    } on Object catch (error) {
      _tellFailure(error);
      return Asked(null, error);
    }
  }

  /// Waits for the service at most [openingTimeLimit]; [late] gets what comes later.
  Future<Asked<Value>> _ask<Value>(
    Future<Value> request, {
    required Future<void> Function(Asked<Value> asked) late,
  }) =>
      ask(
        request,
        clock: _service?.clock ?? const ClientClock(),
        limit: openingTimeLimit,
        onTimeout: () => _tell('late'),
        onEnd: (asked) => asked.error == null ? _tell('resolved') : _tellFailure(asked.error!),
        late: late,
      );

  // Telling

  Opening _notHandled() {
    _tell('notHandled');
    return const Opening(OpeningStatus.notHandled, null, null);
  }

  void _tell(String step, {String? host, String? route}) =>
      onDiagnostic?.call(LinkDiagnostic(step, host: host, route: route));

  void _tellFailure(Object error) {
    final exception = WaymarkException.of(error);
    onDiagnostic?.call(
      LinkDiagnostic('resolveFailed', status: exception.status, error: exception.code.name),
    );
  }
}
