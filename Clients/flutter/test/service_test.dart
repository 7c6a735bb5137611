// The core against the service's program, which WAYMARK_PROGRAM names.
import 'dart:async';
import 'dart:convert';
import 'dart:io';

import 'package:waymark/core.dart';

import 'harness.dart';

const adminKey = 'wm_flutter0123456789abcdefghijABCDEFGHIJ0123';
const android = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) '
    'Chrome/131.0.0.0 Mobile Safari/537.36';

class Service {
  Service(this.folder, this.process, this.url);

  static Future<Service> start() async {
    final folder = await Directory.systemTemp.createTemp('waymark-flutter');
    final socket = await ServerSocket.bind(InternetAddress.loopbackIPv4, 0);
    final port = socket.port;
    await socket.close();
    final url = 'http://127.0.0.1:$port';
    await File('${folder.path}/applications.json').writeAsString(jsonEncode([
      {
        'id': 'shop',
        'name': 'Shop',
        'domains': ['127.0.0.1'],
        'baseURL': url,
        'android': {'package': 'com.example.shop', 'urlScheme': 'shop'},
        'web': {'baseURL': 'https://shop.example.com'},
        'templates': [
          {
            'route': 'products/:id',
            'urls': {
              'web': 'https://shop.example.com/products/:id',
              'android': {'link': 'shop://products/:id', 'fallback': 'store'},
            },
          },
        ],
      },
    ]));
    await File('${folder.path}/waymark.json').writeAsString(jsonEncode({
      'listen': ['127.0.0.1:$port'],
      'database': 'sqlite:${folder.path}/waymark.sqlite',
      'applications': 'applications.json',
      'accessLog': 'off',
    }));
    final process = await Process.start(
      Platform.environment['WAYMARK_PROGRAM']!,
      ['serve', '--config', '${folder.path}/waymark.json'],
      environment: {'WAYMARK_ADMIN_KEY': adminKey},
    );
    unawaited(process.stdout.drain<void>());
    final log = StringBuffer();
    process.stderr.transform(utf8.decoder).listen(log.write);
    var isEnded = false;
    unawaited(process.exitCode.then((_) => isEnded = true));
    final client = HttpClient();
    for (;;) {
      try {
        final response = await (await client.getUrl(Uri.parse('$url/readyz'))).close();
        await response.drain<void>();
        if (response.statusCode == 200) break;
      } on IOException {
        // Not yet.
      }
      if (isEnded) throw StateError('the service has ended: $log');
      await Future<void>.delayed(const Duration(milliseconds: 20));
    }
    return Service(folder, process, url);
  }

  final Directory folder;
  final Process process;
  final String url;

  Future<Map<String, Object?>> call(String method, String path, [Object? body]) async {
    final request = await HttpClient().openUrl(method, Uri.parse(url + path));
    request.headers.set('Authorization', 'Bearer $adminKey');
    request.headers.contentType = ContentType.json;
    if (body != null) request.write(jsonEncode(body));
    final response = await request.close();
    return jsonDecode(await utf8.decoder.bind(response).join()) as Map<String, Object?>;
  }

  Future<String> key(List<String> scopes) async {
    final made = await call('POST', '/api/v1/keys', {'name': 'app', 'app': 'shop', 'scopes': scopes});
    return made['key']! as String;
  }

  /// The referrer that Play passes on after a tap.
  Future<String> referrer(String smartlink) async {
    final request = await HttpClient().getUrl(Uri.parse(smartlink));
    request.followRedirects = false;
    request.headers.set('User-Agent', android);
    final response = await request.close();
    await response.drain<void>();
    final location = response.headers.value('location')!;
    final fallback = RegExp('S.browser_fallback_url=([^;]+)').firstMatch(location)![1]!;
    return Uri.parse(Uri.decodeComponent(fallback)).queryParameters['referrer']!;
  }

  Future<void> end() async {
    process.kill(ProcessSignal.sigkill);
    await process.exitCode;
    await folder.delete(recursive: true);
  }
}

Future<void> main() async {
  final service = await Service.start();
  final key = await service.key(['resolve', 'create']);
  var phones = 0;
  WaymarkClient client() => WaymarkClient(
        service: service.url,
        key: key,
        app: 'shop',
        platform: 'android',
        storage: FileStorage('${service.folder.path}/phone${phones += 1}'),
        allowsPlainLoopback: true,
        sendsEvents: false,
      );

  test('a link comes back whole', () async {
    final app = client();
    final router = Deeplinking(client: app, schemes: const ['shop']);
    final opened = <String>[];
    router.map('products/:id', (deeplink) => opened.add(deeplink.routeParameters['id']!));
    for (final value in ['42', 'a/b', '100%', 'a+b', 'ä ö', '😀', 'a?b#c', 'x:y', '%2F']) {
      final smartlink = await router.generateSmartlink(
        Deeplink(
          route: 'products/:id',
          routeParameters: {'id': value},
          metadata: const {'coupon': '20'},
          redeemLimit: 1,
        ),
      );
      opened.clear();
      final opening = await router.open(smartlink);
      expect(opened, [value]);
      expect(opening.deeplink!.metadata, {'coupon': '20'});
      expect((await app.resolve(smartlink: '$smartlink?again')).metadata, null);
    }
    await app.flush();
    expect(await app.eventCounts(), '0 waiting, 0 dropped, 0 refused');
    app.close();
  });

  test('the first launch waits for a sign-in over a restart', () async {
    final creator = client();
    final smartlink = await creator.createSmartlink(
      Deeplink(
        route: 'products/:id',
        routeParameters: const {'id': 7},
        metadata: const {'coupon': '20'},
        redeemLimit: 1,
      ).linkRequest,
    );
    creator.close();
    final referrer = await service.referrer(smartlink);
    final storage = FileStorage('${service.folder.path}/signing-in');
    final opened = <Object?>[];
    for (final isSignedIn in [false, true, true]) {
      final app = WaymarkClient(
        service: service.url,
        key: key,
        app: 'shop',
        platform: 'android',
        storage: storage,
        allowsPlainLoopback: true,
        sendsEvents: false,
      );
      final router = Deeplinking(client: app, schemes: const ['shop']);
      router.map('products/:id', (deeplink) => opened.add(deeplink.metadata));
      router.addFilter((_) => isSignedIn);
      await router.openDeferred(referrer: referrer);
      await app.flush();
      app.close();
    }
    expect(opened, [
      {'coupon': '20'},
    ]);
    final path = Uri.parse(smartlink).path;
    final link = await service.call('GET', '/api/v1/links/127.0.0.1$path');
    expect((link['redeem']! as Map<String, Object?>)['used'], 1);
  });

  test('an unknown link opens as a route of the app', () async {
    final app = client();
    final router = Deeplinking(client: app, schemes: const ['shop']);
    router.map('rooms/:id', (_) {});
    final opening = await router.open('${service.url}/rooms/blue');
    expect(opening.deeplink!.routeParameters, {'id': 'blue'});
    app.close();
  });

  test('a conversion of the installation is counted once', () async {
    final app = client();
    final smartlink = await app.createSmartlink(
      Deeplink(route: 'products/:id', routeParameters: const {'id': 1}).linkRequest,
    );
    await app.claimDeferred(referrer: await service.referrer(smartlink));
    await app.flush();
    expect(await app.reportConversion(id: 'order-1', name: 'purchase'), true);
    app.close();
  });

  test('check finds the mistakes of an app', () async {
    final app = client();
    final lines = <String>[];
    final wrong = Deeplinking(client: app, schemes: const ['store'], domains: const ['go.example.com']);
    final findings = await wrong.check(printLine: lines.add);
    expect(lines.length, 7);
    final states = [for (final one in findings.take(3)) '${one.check} ${one.state}'];
    expect(states, ['service ok', 'key ok', 'clock ok']);
    expect(findings.last.state, 'finding');
    final right = Deeplinking(client: app, schemes: const ['shop'])..map('products/:id', (_) {});
    final rest = {for (final one in await right.check(printLine: (_) {})) one.state};
    expect(rest.contains('finding'), false);
    app.close();
  });

  await runTests(onEnd: service.end);
}
