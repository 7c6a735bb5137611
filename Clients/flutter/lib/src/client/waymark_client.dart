import 'dart:async';
import 'dart:convert';
import 'dart:math';

import '../storage/client_storage.dart';
import '../storage/stored_value.dart';
import '../url/link_hosts.dart';
import '../url/percent_encoding.dart';
import '../version.dart';
import 'answers.dart';
import 'clock.dart';
import 'deferred_traces.dart';
import 'diagnostic.dart';
import 'event_queue.dart';
import 'idempotent_requests.dart';
import 'kept_links.dart';
import 'request_sender.dart';
import 'retry_policy.dart';
import 'transport.dart';
import 'waymark_exception.dart';

class _Installation {
  String? id;
  bool claimed = false;
  bool recorded = false;
  bool attributed = false;
}

/// The app's client of the smart link service. Two clients must not share a storage.
class WaymarkClient {
  /// Throws a [WaymarkException] for an invalid [service] or [key].
  ///
  /// - [service]: the service's https URL, optionally with port and path.
  /// - [key]: an API key with the scopes `resolve` and, to create links, `create`. It can be read from the
  ///   app.
  /// - [app]: the application's ID. Claims need it.
  /// - [platform]: `ios`, `iphone`, `ipad`, `android`, `macos`, `windows`, `linux` or `web`.
  /// - [appVersion]: if set, the service reports when a link requires a newer version.
  /// - [domains]: the hosts of the app's smart links. Default: the service's host.
  /// - [timeLimit]: for one attempt, until the last byte. [answerLimit]: a response's size in bytes.
  /// - [eventLimit], [eventAge]: more or older events are dropped.
  /// - [allowsPlainLoopback]: whether [service] may be http on this device, for tests.
  /// - [onDiagnostic]: is called with each step of a request, without values.
  WaymarkClient({
    required String service,
    required String key,
    this.app,
    required this.platform,
    this.appVersion,
    Iterable<String>? domains,
    required ClientStorage storage,
    RetryPolicy retry = const RetryPolicy(),
    Duration timeLimit = const Duration(seconds: 15),
    int answerLimit = 262144,
    int eventLimit = 500,
    Duration eventAge = const Duration(days: 6),
    bool sendsEvents = true,
    bool allowsPlainLoopback = false,
    Transport? transport,
    ClientClock clock = const ClientClock(),
    double Function()? random,
    OnDiagnostic? onDiagnostic,
  })  : _clock = clock,
        _transport = transport ?? IoTransport() {
    final address = ServiceAddress(service, allowsPlainLoopback: allowsPlainLoopback);
    if (!RegExp(r'^[!-~]+$').hasMatch(key)) throw const WaymarkException(WaymarkErrorCode.invalidKey);
    if (!RegExp(r'^(web|ios|iphone|ipad|android|macos|windows|linux)$').hasMatch(platform)) {
      throw ArgumentError.value(platform, 'platform', 'is not a platform of the service');
    }
    this.domains = [
      for (final domain in domains ?? const <String>[]) domain.toLowerCase(),
    ];
    if (this.domains.isEmpty) this.domains.add(address.host);
    _hosts = LinkHosts(this.domains);
    _sender = RequestSender(
      address: address,
      key: key,
      transport: _transport,
      clock: clock,
      random: random ?? Random().nextDouble,
      retry: retry,
      timeLimit: timeLimit,
      answerLimit: answerLimit,
      userAgent: 'WaymarkFlutter/$version ($platform)',
      onDiagnostic: onDiagnostic,
    );
    _requests = IdempotentRequests(_sender, storage);
    _installation = StoredValue(storage, _form);
    _kept = KeptLinks(storage, clock);
    _events = EventQueue(
      sender: _sender,
      storage: storage,
      platform: platform,
      limit: eventLimit,
      age: eventAge,
      sendsEvents: sendsEvents,
    );
  }

  static final _form = StoredForm<_Installation>(
    name: 'installation',
    read: (json) => _Installation()
      ..id = json['id'] as String?
      ..claimed = json['claimed'] == true
      ..recorded = json['recorded'] == true
      ..attributed = (json['attributed'] ?? json['recorded']) == true,
    json: (state) => {
      'id': state.id,
      'claimed': state.claimed,
      'recorded': state.recorded,
      'attributed': state.attributed,
    },
    merge: (stored, later) => stored
      ..id ??= later.id
      ..claimed |= later.claimed
      ..recorded |= later.recorded
      ..attributed |= later.attributed,
  );

  final String? app;
  final String platform;
  final String? appVersion;

  /// The hosts of the app's smart links, in lower case.
  late final List<String> domains;

  final ClientClock _clock;
  final Transport _transport;
  late final LinkHosts _hosts;
  late final RequestSender _sender;
  late final IdempotentRequests _requests;
  late final StoredValue<_Installation> _installation;
  late final KeptLinks _kept;
  late final EventQueue _events;
  bool _isClaiming = false;

  // Links

  /// What a smart link leads to, as it was opened, with its query; or a click, by the ID of `_hk_cid`. Takes
  /// a redeem if the link counts them.
  Future<ResolvedLink> resolve({String? smartlink, String? clickId, bool redeem = true}) =>
      _resolve(smartlink: smartlink, clickId: clickId, redeem: redeem);

  Future<ResolvedLink> _resolve({
    String? smartlink,
    String? clickId,
    bool redeem = true,
    Future<void> Function(ResolvedLink link)? keep,
  }) {
    if ((smartlink ?? clickId ?? '') == '') throw ArgumentError('A smart link or a click ID is needed.');
    return _requests.post(
      '/api/v1/resolve',
      {
        if (smartlink != null) 'smartlink': smartlink else 'clickID': clickId,
        'platform': platform,
        if (!redeem) 'redeem': false,
        if (appVersion != null) 'appVersion': appVersion,
      },
      isShared: true,
      read: (answer) async {
        final link = readResolve(answer.status, answer.members);
        if (keep != null) await keep(link);
        return link;
      },
    );
  }

  /// Creates a smart link from a body of the REST API, such as that of a `Deeplink`, and returns its URL.
  Future<String> createSmartlink(Map<String, Object?> link) => _requests.post(
        '/api/v1/links',
        {...link, if (link['app'] == null && app != null) 'app': app},
        isShared: false,
        read: readSmartlink,
      );

  // First launch

  /// The link that led to this installation; null if there is none, or if an earlier call has had it. Only
  /// what comes from the service is sent: the install [referrer] of Play if it names a click, and the
  /// [clipboard]'s text if it is a smart link with a click. Read the clipboard only after a tap of the
  /// person.
  Future<DeferredDeeplink?> claimDeferred({String? referrer, String? clipboard}) async {
    final traces = DeferredTraces(referrer: referrer, clipboard: clipboard, hosts: _hosts);
    await _recordInstallation(traces.clickId);
    final clickId = traces.clickId;
    if (clickId == null || _isClaiming) return null;
    _isClaiming = true;
    try {
      final id = await _installation.update(
        (state, isLoaded) => isLoaded && !state.claimed ? state.id : null,
      );
      if (id == null) return null;
      return await _requests.post(
        '/api/v1/deferred/claim',
        {
          'app': app ?? '',
          'platform': platform,
          'installID': id,
          if (traces.referrer != null) 'referrer': traces.referrer,
          if (traces.clipboard != null) 'clipboard': traces.clipboard,
          if (appVersion != null) 'appVersion': appVersion,
        },
        isShared: true,
        read: (answer) async {
          final deferred = readClaim(answer, clickId);
          if (deferred != null) {
            await _kept.update((pair) => pair.installation = KeptLink(
                  answer: deferred.link.json,
                  match: deferred.match,
                  clickId: clickId,
                  at: _clock.seconds,
                ));
          }
          await _endClaim();
          return deferred;
        },
      );
    } on WaymarkException catch (error) {
      // An expired link stays expired. Other refusals come from a mistake that an update may fix.
      const ends = {'link-unknown', 'link-expired', 'link-exhausted', 'link-disabled'};
      if (ends.contains(error.problem?.name)) await _endClaim();
      rethrow;
    } finally {
      _isClaiming = false;
    }
  }

  /// The link that led to this installation, at any time; its metadata until its target has run.
  Future<DeferredDeeplink?> get installationDeeplink => _kept.update((pair) {
        final kept = pair.installation;
        return kept == null ? null : DeferredDeeplink.ofKept(kept);
      });

  /// Ends the claim without a request: the app was started with another link.
  Future<void> skipDeferred() async {
    await _recordInstallation(null);
    await _endClaim();
  }

  // Events

  /// Records that the app was opened through a link. The event is stored when the future completes.
  Future<void> recordOpen({String? clickId, String? smartlink}) async {
    final click = clickId == '' ? null : clickId;
    final link = smartlink == '' ? null : smartlink;
    // Any app or page can open a link of any length, and the service would refuse the event.
    final isTooLong = byteLength(click ?? '') > 1024 || byteLength(link ?? '') > lengthLimit;
    if (click == null && link == null || isTooLong) return;
    await _events.record('open', clickId: click, smartlink: link);
  }

  /// Reports a conversion of a click, of a smart link, or else of this installation. The service counts an
  /// [id] once. Returns whether it was counted. [value] is `{"amount": "9.90", "currency": "EUR"}` or the
  /// like, as in the REST API.
  Future<bool> reportConversion({
    required String id,
    required String name,
    String? clickId,
    String? smartlink,
    Object? value,
  }) async {
    String? installId;
    if (clickId == null && smartlink == null) {
      installId = await _installation.update((state, isLoaded) => isLoaded ? state.id ??= makeUuid() : null);
      // An installation that nobody knows has no click.
      if (installId == null) {
        throw const WaymarkException(WaymarkErrorCode.unreachable, reason: "the storage can't be read");
      }
    }
    final conversion = {
      'id': id,
      'name': name,
      if (clickId != null) 'clickID': clickId,
      if (smartlink != null) 'smartlink': smartlink,
      if (installId != null) 'installID': installId,
      'at': isoTime(_clock.seconds),
      if (value != null) 'value': value,
    };
    final body = jsonEncode({
      'conversions': [conversion],
    });
    return readCounted(await _sender.post('/api/v1/conversions', body)) > 0;
  }

  /// Sends the stored events. Those that can't be sent stay stored, and the error is thrown.
  Future<void> flush() async {
    final failure = await _events.flush();
    if (failure != null) throw failure;
  }

  Future<EventCounts> eventCounts() => _events.counts();

  /// Ends the delivery of events and the connections. The client must not be used afterwards.
  void close() {
    _events.stop();
    _transport.close();
  }

  // Inside

  Future<void> _recordInstallation(String? clickId) async {
    final id = await _installation.update((state, isLoaded) {
      // While the state can't be read nothing is recorded: another ID would be another installation.
      if (!isLoaded) return null;
      state.id ??= makeUuid();
      return (clickId == null ? state.recorded : state.attributed) ? null : state.id;
    });
    if (id == null) return;
    // Stored before the state and under an ID that stays: after a crash in between it is recorded again and
    // counted once. Without a click the ID is another, or the service would drop the event with the click.
    final other = id.substring(0, id.length - 1) + (id.endsWith('0') ? '1' : '0');
    await _events.record('install', clickId: clickId, id: clickId == null ? other : id);
    await _installation.update((state, _) {
      state.recorded = true;
      state.attributed |= clickId != null;
    });
  }

  Future<void> _endClaim() => _installation.update((state, _) => state.claimed = true);
}

/// What the router needs of its client, and no app.
class RouterService {
  RouterService(this._client);

  final WaymarkClient _client;

  ClientClock get clock => _client._clock;
  KeptLinks get kept => _client._kept;
  RequestSender get sender => _client._sender;

  WaymarkClient get client => _client;

  /// What a smart link leads to, without taking a redeem, and by one attempt.
  Future<ResolvedLink> peek(
    String smartlink, {
    void Function(Map<String, String> headers)? onHeaders,
  }) async {
    final body = jsonEncode({
      'smartlink': smartlink,
      'platform': _client.platform,
      'redeem': false,
      if (_client.appVersion != null) 'appVersion': _client.appVersion,
    });
    final answer = await sender.once('/api/v1/resolve', body: body, onHeaders: onHeaders);
    return readResolve(answer.status, answer.members);
  }

  /// Calls [keep] with the answer before the request's idempotency key is removed.
  Future<ResolvedLink> resolve({
    String? smartlink,
    String? clickId,
    required Future<void> Function(ResolvedLink link) keep,
  }) =>
      _client._resolve(smartlink: smartlink, clickId: clickId, keep: keep);
}
