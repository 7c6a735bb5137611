// What openings do while something else happens: the shared cases make one step after the other.
import 'dart:async';
import 'dart:convert';

import 'package:waymark/core.dart';
import 'package:waymark/src/client/kept_links.dart';
import 'package:waymark/src/client/waymark_client.dart' show RouterService;
import 'package:waymark/src/routing/link_keeper.dart';

import 'cases.dart' show CaseClock, pump;
import 'harness.dart';

const _offline = WaymarkException(WaymarkErrorCode.offline);

Map<String, Object?> _answer(String id, {bool isExhausted = false}) => {
      'deeplink': 'shop://products/$id',
      'route': 'products/:id',
      'routeParameters': {'id': id},
      'metadata': isExhausted ? null : {'coupon': '20'},
      'redeem': {'used': 1, 'limit': 1, if (isExhausted) 'status': 'exhausted'},
    };

/// Answers each request with what the test says, when it says it.
class _Service implements Transport {
  final List<FutureOr<Map<String, Object?>> Function()> answers = [];
  int requests = 0;

  @override
  Future<TransportResponse> send(TransportRequest request) async {
    requests += 1;
    if (answers.isEmpty) throw _offline;
    final json = await answers.removeAt(0)();
    return TransportResponse(
      status: 200,
      headers: const {'content-type': 'application/json'},
      body: Stream.value(utf8.encode(jsonEncode(json))),
    );
  }

  @override
  void close() {}
}

/// A storage that can be made to wait.
class _SlowStorage extends MemoryStorage {
  Future<void>? gate;

  @override
  Future<void> write(String name, String text) async {
    await gate;
    await super.write(name, text);
  }
}

class _App {
  _App({MemoryStorage? storage, CaseClock? clock, OnDiagnostic? onDiagnostic})
      : storage = storage ?? MemoryStorage(),
        clock = clock ?? CaseClock() {
    client = WaymarkClient(
      service: 'https://go.example.com',
      key: 'wm_test',
      app: 'shop',
      platform: 'android',
      storage: this.storage,
      sendsEvents: false,
      retry: const RetryPolicy(attempts: 1),
      transport: service,
      clock: this.clock,
    );
    router = Deeplinking(client: client, schemes: const ['shop'], onDiagnostic: onDiagnostic);
    router.map('products/:id', (deeplink) => opened.add(deeplink.routeParameters['id']!));
    router.mapDefault((_) => opened.add('default'));
  }

  final MemoryStorage storage;
  final CaseClock clock;
  final service = _Service();
  final List<String> opened = [];
  late final WaymarkClient client;
  late final Deeplinking router;

  Future<KeptLink?> get kept => RouterService(client).kept.update((pair) => pair.current);

  /// The app after its process has ended.
  _App restarted() => _App(storage: storage, clock: clock);
}

const _link = 'https://go.example.com/a';
const _announced = 'shop://products/1?_hk_cid=c1&_hk_md=1';

void addOpeningTests() {
  test('a link that is opened while an answer is stored wins', () async {
    final storage = _SlowStorage();
    late final _App app;
    late Future<Opening> newer;
    app = _App(
      storage: storage,
      onDiagnostic: (diagnostic) async {
        if (diagnostic.step != 'resolved') return;
        final gate = Completer<void>();
        storage.gate = gate.future;
        unawaited(RouterService(app.client).kept.update((pair) => pair.current?.starts = 1));
        await pump();
        newer = app.router.open('shop://products/2');
        gate.complete();
      },
    );
    final router = app.router;
    app.service.answers.add(() => _answer('1'));
    final older = await router.open(_link);
    await newer;
    expect(older.status.name, 'notOpened');
    expect(app.opened, ['2']);
    expect(router.currentDeeplink!.routeParameters['id'], '2');
    expect(await app.kept, null);
  });

  for (final isDeferred in [false, true]) {
    test('a kept link gives way to a waiting one, deferred: $isDeferred', () async {
      final first = _App();
      first.router.addFilter((_) => false);
      await first.router.open('shop://products/1');
      final app = first.restarted();
      final answer = Completer<Map<String, Object?>>();
      app.service.answers.add(() => answer.future);
      final tapped = app.router.open(_link);
      final restored = isDeferred
          ? app.router.openDeferred(referrer: 'waymark=c1')
          : app.router.openCurrentDeeplink();
      await pump();
      answer.complete(_answer('2'));
      expect(await restored, null);
      expect((await tapped).status.name, 'opened');
      expect(app.opened, ['2']);
    });
  }

  test("the installation's link gives way to one opened meanwhile", () async {
    final first = _App();
    first.service.answers.add(() => {..._answer('1'), 'match': {'method': 'referrer'}});
    await first.client.claimDeferred(referrer: 'waymark=c1');
    for (final isDeferred in [false, true]) {
      final app = first.restarted();
      final restored =
          isDeferred ? app.router.openDeferred() : app.router.openCurrentDeeplink();
      await app.router.open('shop://products/2');
      expect(await restored, null);
      expect(app.opened, ['2']);
    }
  });

  test('a link is kept while an asynchronous filter decides', () async {
    final app = _App();
    final isSignedIn = Completer<bool>();
    app.router.addFilter((_) => isSignedIn.future);
    final opening = app.router.open('shop://products/1');
    await pump();
    expect((await app.kept)?.url, 'shop://products/1');
    final later = app.restarted();
    await later.router.openCurrentDeeplink();
    expect(later.opened, ['1']);
    isSignedIn.complete(true);
    expect((await opening).status.name, 'opened');
    expect(await app.kept, null);
  });

  test('a refused link is not kept while a filter decides', () async {
    final app = _App();
    final isSignedIn = Completer<bool>();
    app.router.addFilter((_) => isSignedIn.future);
    app.service.answers.add(() => throw const WaymarkException(WaymarkErrorCode.notTrusted));
    final opening = app.router.open(_link);
    await pump();
    expect(await app.kept, null);
    isSignedIn.complete(false);
    await opening;
    expect(await app.kept, null);
  });

  test('a newer link stays stored when the filter of an older ends', () async {
    final app = _App();
    final first = Completer<bool>();
    app.router.addFilter(
      (deeplink) => deeplink.routeParameters['id'] == '1' ? first.future : Future.value(false),
    );
    final older = app.router.open('shop://products/1');
    await app.router.open('shop://products/2');
    first.complete(false);
    await older;
    expect((await app.kept)?.url, 'shop://products/2');
  });

  test('handlers do not run for a link that another has replaced', () async {
    final app = _App();
    final handled = <String?>[];
    app.router.addHandler((deeplink) => handled.add(deeplink.routeParameters['id']));
    final older = app.router.open('shop://products/1');
    final newer = app.router.open('shop://products/2');
    await older;
    await newer;
    expect(handled, ['2']);
  });

  for (final link in [_link, _announced]) {
    for (final answers in [true, false]) {
      test('a coupon outlives a second tap of $link, answered: $answers', () async {
        final first = _App();
        first.router.addFilter((_) => false);
        first.service.answers.add(() => _answer('1'));
        await first.router.open(link);
        final at = (await first.kept)!.at;
        first.clock.time = first.clock.time.add(const Duration(days: 1));
        if (answers) first.service.answers.add(() => _answer('1', isExhausted: true));
        await first.router.open(link);
        if (answers || link == _announced) {
          expect(first.router.currentDeeplink!.metadata, {'coupon': '20'});
        }
        expect((await first.kept)!.at, at);
        final app = first.restarted();
        await app.router.openCurrentDeeplink();
        expect(app.opened, ['1']);
        expect(app.router.currentDeeplink!.metadata, {'coupon': '20'});
        expect((await app.client.eventCounts()).waiting, 1);
      });
    }
  }

  for (final link in [_link, _announced]) {
    for (final seconds in [5, 60]) {
      test('$link after $seconds s in the background', () async {
        final app = _App();
        final answer = Completer<Map<String, Object?>>();
        app.service.answers.add(() => answer.future);
        final opening = app.router.open(link);
        await pump();
        app.clock.time = app.clock.time.add(Duration(seconds: seconds));
        answer.complete(_answer('1'));
        final ended = await opening;
        await pump();
        final isAsleep = seconds == 60;
        if (isAsleep) {
          expect(app.opened, <String>[]);
          expect((await app.kept)!.url, link);
        } else {
          expect(app.opened, [link == _link ? 'default' : '1']);
        }
        expect(ended.status.name, link == _link ? 'failed' : (isAsleep ? 'notOpened' : 'opened'));
        if (isAsleep || link == _link) expect((await app.kept)!.url, link);
        app.opened.clear();
        await app.router.openCurrentDeeplink();
        expect(app.opened, ['1']);
        expect(app.router.currentDeeplink!.metadata, {'coupon': '20'});
        expect(app.service.requests, 1);
      });
    }
  }

  test('a timer that fires long after the limit opens nothing', () async {
    for (final link in [_link, _announced]) {
      final app = _App();
      app.service.answers.add(() => Completer<Map<String, Object?>>().future);
      final opening = app.router.open(link);
      await pump();
      app.clock.time = app.clock.time.add(const Duration(minutes: 1));
      app.clock.endTimers();
      await opening;
      expect(app.opened, <String>[]);
      expect((await app.kept)!.url, link);
    }
  });

  test('metadata that failed is asked for again', () async {
    final app = _App();
    await app.router.open(_announced);
    expect(app.opened, ['1']);
    expect(app.router.currentDeeplink!.metadata, null);
    expect(app.router.currentDeeplink!.errorCode, 'offline');
    app.service.answers.add(() => _answer('1'));
    await app.router.openCurrentDeeplink();
    expect(app.router.currentDeeplink!.metadata, {'coupon': '20'});
    expect(app.opened, ['1', '1']);
    await app.router.openCurrentDeeplink();
    expect(app.service.requests, 2);
  });

  test('metadata that failed is asked for when the network is back', () async {
    final app = _App();
    await app.router.open(_announced);
    app.service.answers.add(() => _answer('1'));
    await app.router.networkIsBack();
    expect(app.router.currentDeeplink!.metadata, {'coupon': '20'});
    expect(app.opened, ['1']);
    await app.router.networkIsBack();
    expect(app.service.requests, 2);
  });

  test('a kept failed link does not run the default route again', () async {
    final first = _App();
    await first.router.open(_link);
    expect(first.opened, ['default']);
    final at = (await first.kept)!.at;
    first.clock.time = first.clock.time.add(const Duration(days: 20));
    final app = first.restarted();
    expect((await app.router.openCurrentDeeplink())!.status.name, 'failed');
    expect(app.opened, <String>[]);
    expect((await app.kept)!.at, at);
    app.clock.time = app.clock.time.add(const Duration(days: 11));
    expect(await app.restarted().router.openCurrentDeeplink(), null);
  });

  test('a kept smart link of another host stays one', () async {
    for (final answers in [true, false]) {
      final first = _App();
      first.router.addFilter((_) => false);
      if (answers) first.service.answers.add(() => _answer('1'));
      await first.router.openSmartlink('https://short.example.org/a');
      final app = first.restarted();
      if (!answers) app.service.answers.add(() => _answer('1'));
      await app.router.openCurrentDeeplink();
      expect(app.opened, ['1']);
      expect(app.router.currentDeeplink!.smartlink, 'https://short.example.org/a');
    }
  });

  test('a deferred link whose target runs is not opened twice', () async {
    final app = _App();
    final gate = Completer<void>();
    var starts = 0;
    app.router.map('slow/:id', (_) {
      starts += 1;
      return gate.future;
    });
    final answer = {
      ..._answer('7'),
      'route': 'slow/:id',
      'match': {'method': 'referrer'},
    };
    app.service.answers.add(() => answer);
    final first = app.router.openDeferred(referrer: 'waymark=c1');
    await pump();
    final second = app.router.openDeferred(referrer: 'waymark=c1');
    await pump();
    gate.complete();
    expect((await first)!.status, OpeningStatus.opened);
    expect((await second)?.status, null);
    expect(starts, 1);
  });

  test('metadata that come while a link opens without them stay', () async {
    final app = _App();
    final keeper = LinkKeeper(RouterService(app.client));
    final kept = KeptLink(url: 'shop://products/7', answer: _answer('7'), at: keeper.now);
    await keeper.store(kept);
    for (var run = 0; run < 4; run += 1) {
      await keeper.begin(kept);
      await keeper.end(kept, hadMetadata: false);
    }
    expect((await keeper.current)?.starts, 0);
    await keeper.end(kept, hadMetadata: true);
    expect(await keeper.current, null);
  });

  test('a link from the future is kept for 30 days from now', () async {
    final first = _App();
    first.router.addFilter((_) => false);
    first.clock.time = first.clock.time.add(const Duration(days: 1000));
    await first.router.open('shop://products/1');
    first.clock.time = first.clock.time.subtract(const Duration(days: 1000));
    expect((await first.kept)!.at, first.clock.seconds);
    first.clock.time = first.clock.time.add(const Duration(days: 31));
    expect(await first.restarted().router.openCurrentDeeplink(), null);
  });
}
