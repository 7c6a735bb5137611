// What needs Flutter, played against the stand-ins of `stubs/flutter`.
import 'dart:async';

import 'package:flutter/services.dart';
import 'package:flutter/widgets.dart';
import 'package:waymark/waymark.dart';

import 'harness.dart';

class FakeDevice extends WaymarkDevice {
  FakeDevice({this.waiting = const [], this.referrer});

  final List<String> waiting;
  final String? referrer;
  final linkEvents = StreamController<String>();
  final networkEvents = StreamController<void>();

  @override
  Future<List<String>> waitingLinks() async => waiting;

  @override
  Stream<String> get links => linkEvents.stream;

  @override
  Stream<void> get networkIsBack => networkEvents.stream;

  @override
  Future<String?> installReferrer() async => referrer;
}

/// A service that knows one link and says what it was asked.
class FakeTransport implements Transport {
  final List<String> paths = [];

  @override
  Future<TransportResponse> send(TransportRequest request) async {
    paths.add(request.url.path);
    const answer = '{"deeplink": "shop://products/7", "route": null, "redeem": {"used": 0}, '
        '"match": {"method": "referrer"}, "counted": 1}';
    return TransportResponse(
      status: 200,
      headers: const {'content-type': 'application/json'},
      body: Stream.value(answer.codeUnits),
    );
  }

  @override
  void close() {}
}

class Played {
  Played(this.device, {MemoryStorage? storage}) {
    final client = WaymarkClient(
      service: 'https://go.example.com',
      key: 'wm_test',
      app: 'shop',
      platform: 'android',
      storage: storage ?? MemoryStorage(),
      sendsEvents: false,
      transport: transport,
    );
    deeplinking = Deeplinking(client: client, schemes: const ['shop']);
    deeplinking.map('products/:id', (deeplink) => opened.add(deeplink.routeParameters['id']!));
    app = WaymarkApp(client: client, deeplinking: deeplinking, device: device);
  }

  final FakeDevice device;
  final transport = FakeTransport();
  final List<String> opened = [];
  late final Deeplinking deeplinking;
  late final WaymarkApp app;
}

void main() {
  test('the last link of the start opens, and ends the claim', () async {
    final waiting = ['shop://products/1', 'shop://products/2'];
    final played = Played(FakeDevice(waiting: waiting, referrer: 'waymark=c1'));
    await played.app.start();
    expect(played.opened, ['2']);
    expect(played.transport.paths, <String>[]);
    await played.app.stop();
  });

  test('without a link the one of the installation opens', () async {
    final played = Played(FakeDevice(referrer: 'waymark=c1'));
    await played.app.start();
    expect(played.opened, ['7']);
    expect(played.transport.paths, ['/api/v1/deferred/claim']);
    await played.app.stop();
  });

  test('a link that was held back is given at the next start', () async {
    final storage = MemoryStorage();
    final first = Played(FakeDevice(waiting: ['shop://products/4']), storage: storage);
    first.deeplinking.addFilter((_) => false);
    await first.app.start();
    expect(first.opened, <String>[]);
    await first.app.stop();
    final second = Played(FakeDevice(), storage: storage);
    await second.app.start();
    expect(second.opened, ['4']);
    await second.app.stop();
  });

  test('links that follow open until the app stops', () async {
    final played = Played(FakeDevice());
    await played.app.start();
    played.device.linkEvents.add('shop://products/3');
    await Future<void>.delayed(Duration.zero);
    await Future<void>.delayed(Duration.zero);
    expect(played.opened, ['3']);
    await played.app.stop();
    expect(played.device.linkEvents.hasListener, false);
    expect(WidgetsBinding.instance.observers, <Object>[]);
  });

  test('the clipboard is claimed after a tap', () async {
    final played = Played(FakeDevice());
    StandInDevice.clipboard = 'a password';
    expect(await played.app.openClipboard(), null);
    expect(played.transport.paths, <String>[]);
    StandInDevice.clipboard = 'https://go.example.com/a?_hk_cid=c1';
    expect((await played.app.openClipboard())!.status.name, 'opened');
    expect(played.opened, ['7']);
  });

  test('the device gives its folder late, or not at all', () async {
    StandInDevice.calls['folder'] = () => throw PlatformException();
    final storage = const WaymarkDevice().storage;
    try {
      await storage.read('events');
    } on PlatformException {
      return;
    }
    throw StateError('it was read');
  });
  unawaited(runTests());
}
