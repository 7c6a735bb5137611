// The core against a server on this machine: what the shared cases, which replace the network, can't show.
import 'dart:async';
import 'dart:convert';
import 'dart:io';

import 'package:waymark/core.dart';
import 'package:waymark/src/client/waymark_client.dart' show RouterService;

import 'harness.dart';
import 'opening_tests.dart';

const resolved = {
  'deeplink': 'shop://products/42',
  'route': 'products/:id',
  'routeParameters': {'id': '42'},
  'queryParameters': <String, String>{},
  'metadata': {'coupon': '20'},
  'redeem': {'limit': 1, 'used': 1, 'remaining': 0, 'status': 'redeemed'},
};

typedef Answer = FutureOr<void> Function(HttpRequest request, String body);

Future<void> withService(Answer answer, Future<void> Function(String url) body) async {
  final server = await HttpServer.bind(InternetAddress.loopbackIPv4, 0);
  server.listen((request) async {
    final text = await utf8.decoder.bind(request).join();
    await answer(request, text);
  });
  try {
    await body('http://127.0.0.1:${server.port}');
  } finally {
    await server.close(force: true);
  }
}

Future<void> respond(HttpRequest request, Object? json, {int status = 200}) async {
  request.response.statusCode = status;
  request.response.headers.contentType =
      ContentType('application', status >= 400 ? 'problem+json' : 'json');
  request.response.write(jsonEncode(json));
  await request.response.close();
}

WaymarkClient makeClient(String url, {ClientStorage? storage, RetryPolicy? retry, Duration? timeLimit}) =>
    WaymarkClient(
      service: url,
      key: 'wm_secret',
      app: 'shop',
      platform: 'android',
      storage: storage ?? MemoryStorage(),
      sendsEvents: false,
      allowsPlainLoopback: true,
      retry: retry ?? const RetryPolicy(attempts: 1),
      timeLimit: timeLimit ?? const Duration(seconds: 15),
    );

Future<WaymarkException> failureOf(Future<Object?> call) async {
  try {
    await call;
  } on WaymarkException catch (error) {
    return error;
  }
  throw StateError('it did not fail');
}

void main() {
  test('a request has the headers of the specification', () async {
    late HttpHeaders headers;
    await withService((request, _) {
      headers = request.headers;
      return respond(request, resolved);
    }, (url) async {
      final link = await makeClient(url).resolve(smartlink: 'https://go.example.com/a');
      expect(link.metadata, {'coupon': '20'});
    });
    expect(headers.value('authorization'), 'Bearer wm_secret');
    expect(headers['user-agent'], ['WaymarkFlutter/$version (android)']);
    expect(headers.value('content-type'), 'application/json');
    expect(headers.value('idempotency-key')!.length, 36);
  });

  test('a redirect is not followed', () async {
    final paths = <String>[];
    await withService((request, _) async {
      paths.add(request.uri.path);
      request.response.statusCode = 307;
      request.response.headers.set('Location', '/elsewhere');
      await request.response.close();
    }, (url) async {
      final error = await failureOf(makeClient(url).resolve(smartlink: 'https://go.example.com/a'));
      expect(error.code.name, 'unexpectedAnswer');
    });
    expect(paths, ['/api/v1/resolve']);
  });

  test('a body beyond the limit is not read', () async {
    await withService((request, _) async {
      try {
        for (var part = 0; part < 1000; part++) {
          request.response.write(' ' * 65536);
          await request.response.flush();
        }
        await request.response.close();
      } on Object {
        // The client has closed the connection.
      }
    }, (url) async {
      final error = await failureOf(makeClient(url).resolve(smartlink: 'https://go.example.com/a'));
      expect(error.code.name, 'answerTooLarge');
    });
  });

  test('a service that does not answer is timedOut', () async {
    await withService((request, _) => Completer<void>().future, (url) async {
      final client = makeClient(url, timeLimit: const Duration(milliseconds: 50));
      expect((await failureOf(client.resolve(smartlink: 'https://go.example.com/a'))).code.name, 'timedOut');
    });
  });

  test('a body that comes byte by byte is timedOut', () async {
    await withService((request, _) async {
      request.response.headers.contentType = ContentType.json;
      request.response.bufferOutput = false;
      for (var part = 0; part < 50; part++) {
        request.response.write(' ');
        await Future<void>.delayed(const Duration(milliseconds: 10));
      }
    }, (url) async {
      final client = makeClient(url, timeLimit: const Duration(milliseconds: 80));
      expect((await failureOf(client.resolve(smartlink: 'https://go.example.com/a'))).code.name, 'timedOut');
    });
  });

  test('nobody who listens is unreachable', () async {
    late String gone;
    await withService((request, _) {}, (url) async => gone = url);
    final error = await failureOf(makeClient(gone).resolve(smartlink: 'https://go.example.com/a'));
    expect(error.code.name, 'unreachable');
  });

  test('a proxy that repeats the key shows it to nobody', () async {
    await withService((request, _) {
      return respond(request, {'type': 'x', 'status': 400, 'detail': 'Bearer wm_secret'}, status: 400);
    }, (url) async {
      final error = await failureOf(makeClient(url).resolve(smartlink: 'https://go.example.com/a'));
      expect(error.code.name, 'unexpectedAnswer');
      expect('$error'.contains('wm_secret'), false);
    });
  });

  test('a lost answer costs no second key, also after a restart', () async {
    final keys = <String?>[];
    final folder = await Directory.systemTemp.createTemp('waymark-flutter');
    try {
      await withService((request, _) async {
        keys.add(request.headers.value('idempotency-key'));
        if (keys.length > 1) return respond(request, resolved);
        final socket = await request.response.detachSocket(writeHeaders: false);
        socket.destroy();
      }, (url) async {
        await failureOf(makeClient(url, storage: FileStorage('${folder.path}/state'))
            .resolve(smartlink: 'https://go.example.com/a'));
        await makeClient(url, storage: FileStorage('${folder.path}/state'))
            .resolve(smartlink: 'https://go.example.com/a');
        await makeClient(url, storage: FileStorage('${folder.path}/state'))
            .resolve(smartlink: 'https://go.example.com/a');
      });
      expect(keys[0] == keys[1], true);
      expect(keys[1] == keys[2], false);
      final mode = (await FileStat.stat('${folder.path}/state')).modeString();
      expect(mode, 'rwx------');
    } finally {
      await folder.delete(recursive: true);
    }
  });

  if (Platform.isLinux || Platform.isMacOS) {
    test('only the owner can read the files of an open folder', () async {
      final parent = await Directory.systemTemp.createTemp('waymark-flutter');
      try {
        final folder = await Directory('${parent.path}/state').create();
        await Process.run('chmod', ['755', folder.path]);
        Future<String> modeOf(String path) async => (await FileStat.stat(path)).modeString();
        await File('${folder.path}/links.json').writeAsString('{}');
        final storage = FileStorage(folder.path);
        expect(await storage.read('links'), '{}');
        expect(await modeOf(folder.path), 'rwx------');
        // What a crash has left, and a link to somewhere else.
        await File('${folder.path}/links.new').writeAsString('old');
        await Link('${folder.path}/events.new').create('${parent.path}/elsewhere');
        for (final name in ['links', 'events']) {
          await storage.write(name, 'text of $name');
          expect(await modeOf('${folder.path}/$name.json'), 'rw-------');
          expect(await storage.read(name), 'text of $name');
        }
        expect(await File('${parent.path}/elsewhere').exists(), false);
        expect(await FileSystemEntity.isLink('${folder.path}/events.json'), false);
      } finally {
        await parent.delete(recursive: true);
      }
    });
  }

  test('a value that is not valid is set aside', () async {
    final storage = MemoryStorage()..values['events'] = '{"events": [{}]}';
    final client = makeClient('http://127.0.0.1:1', storage: storage);
    await client.recordOpen(clickId: 'c1');
    expect((await client.eventCounts()).waiting, 1);
    expect(storage.values['events.broken'], '{"events": [{}]}');
  });

  test('storage that can not be read is not written over', () async {
    final storage = LockedStorage()..values['events'] = '{"events":[],"dropped":3,"refused":0}';
    final client = makeClient('http://127.0.0.1:1', storage: storage);
    await client.recordOpen(clickId: 'c1');
    expect(storage.values['events'], '{"events":[],"dropped":3,"refused":0}');
    storage.isLocked = false;
    final counts = await client.eventCounts();
    expect(counts, '1 waiting, 3 dropped, 0 refused');
  });

  test('the last of two links wins, whichever answer comes first', () async {
    final first = Completer<void>();
    final opened = <String>[];
    await withService((request, body) async {
      if (body.contains('/first')) await first.future;
      await respond(request, {
        ...resolved,
        'routeParameters': {'id': body.contains('/first') ? 'first' : 'second'},
      });
    }, (url) async {
      final deeplinking = Deeplinking(client: makeClient(url), schemes: const ['shop']);
      deeplinking.map('products/:id', (deeplink) => opened.add(deeplink.routeParameters['id']!));
      final slow = deeplinking.open('$url/first');
      expect((await deeplinking.open('$url/second')).status.name, 'opened');
      first.complete();
      expect((await slow).status.name, 'notOpened');
    });
    expect(opened, ['second']);
  });

  for (final scheme in const ['shop', 'store']) {
    test('check compares the scheme $scheme by a key that only resolves', () async {
      const summary = {
        'id': 'shop',
        'domains': <String>[],
        'platforms': ['android'],
        'urlSchemes': {'ios': null, 'android': 'shop'},
      };
      await withService((request, _) {
        if (request.method == 'GET') return respond(request, summary);
        const type = 'urn:waymark:problem:link-unknown';
        return respond(request, const {'type': type, 'status': 404}, status: 404);
      }, (url) async {
        final router = Deeplinking(client: makeClient(url), schemes: [scheme])..map('products/:id', (_) {});
        final findings = await router.check(printLine: (_) {});
        final wrong = [for (final one in findings) if (one.state == 'finding') one.check];
        expect(wrong, scheme == 'shop' ? <String>[] : ['scheme']);
        expect(findings[5].state == 'skipped', false);
      });
    });
  }

  test('an asynchronous target holds its link until it has ended', () async {
    final storage = MemoryStorage();
    await withService((request, _) => respond(request, resolved), (url) async {
      final client = makeClient(url, storage: storage);
      final deeplinking = Deeplinking(client: client, schemes: const ['shop']);
      final signedIn = Completer<void>();
      final isRunning = Completer<void>();
      deeplinking.map('products/:id', (_) {
        isRunning.complete();
        return signedIn.future;
      });
      final opening = deeplinking.open('$url/a');
      await isRunning.future;
      expect(await RouterService(client).kept.update((pair) => pair.current?.starts), 1);
      signedIn.complete();
      expect((await opening).status.name, 'opened');
      expect(await RouterService(client).kept.update((pair) => pair.current), null);
    });
  });

  test('a link whose target ends the app three times is given up', () async {
    final storage = MemoryStorage();
    await withService((request, _) => respond(request, resolved), (url) async {
      for (var start = 0; start < 5; start++) {
        final deeplinking = Deeplinking(client: makeClient(url, storage: storage), schemes: const ['shop']);
        final isRunning = Completer<void>();
        deeplinking.map('products/:id', (_) {
          isRunning.complete();
          return Completer<void>().future;
        });
        final opening = start == 0 ? deeplinking.open('$url/a') : deeplinking.openCurrentDeeplink();
        // Nothing is left to run after three starts.
        await Future.any([isRunning.future, opening]);
        expect(isRunning.isCompleted, start < 3);
      }
    });
  });

  test('a diagnostic has no value of a URL and no key', () async {
    final texts = <String>[];
    await withService((request, _) => respond(request, resolved), (url) async {
      final deeplinking = Deeplinking(
        client: makeClient(url),
        schemes: const ['shop'],
        onDiagnostic: (diagnostic) => texts.add('$diagnostic'),
      );
      deeplinking.map('products/:id', (_) {});
      await deeplinking.open('$url/SECRET?token=SECRET');
      await deeplinking.open('other://SECRET');
    });
    expect(texts.isEmpty, false);
    expect(texts.any((text) => text.contains('SECRET') || text.contains('coupon')), false);
  });

  test('a conversion is counted', () async {
    late Object? sent;
    await withService((request, body) {
      sent = jsonDecode(body);
      return respond(request, {'counted': 1});
    }, (url) async {
      final client = makeClient(url);
      expect(await client.reportConversion(id: 'order-1', name: 'purchase', clickId: 'c1'), true);
    });
    final conversion = ((sent! as Map<String, Object?>)['conversions']! as List<Object?>).single!;
    expect((conversion as Map<String, Object?>)['clickID'], 'c1');
    expect(conversion.containsKey('installID'), false);
  });

  test('the versions are those of the JavaScript client', () async {
    final folder = File.fromUri(Platform.script).parent.parent.path;
    final pubspec = await File('$folder/pubspec.yaml').readAsString();
    final podspec = await File('$folder/ios/waymark.podspec').readAsString();
    expect(RegExp('^version: (.*)', multiLine: true).firstMatch(pubspec)![1], version);
    expect(RegExp("version *= '(.*)'").firstMatch(podspec)![1], version);
  });

  for (final service in [
    'http://go.example.com',
    'https://user@go.example.com',
    'https://go.example.com/?a=b',
    'https://go.example.com/a/../b',
    'https://go.example.com:99999',
    'go.example.com',
    '',
  ]) {
    test('the service may not be $service', () async {
      try {
        makeClient(service);
      } on WaymarkException catch (error) {
        return expect(error.code.name, 'invalidAddress');
      }
      throw StateError('it was accepted');
    });
  }
  addOpeningTests();
  unawaited(runTests());
}

class LockedStorage extends MemoryStorage {
  bool isLocked = true;

  @override
  Future<String?> read(String name) =>
      isLocked ? Future.error(const FileSystemException('locked')) : super.read(name);
}
