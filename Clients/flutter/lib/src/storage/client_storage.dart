/// Where a client stores its state: small texts under names, each replaced as a whole.
abstract class ClientStorage {
  /// The text under the name; null if there is none. Throws if it can't be read now.
  Future<String?> read(String name);

  /// Replaces the text atomically. Throws if that is not possible now.
  Future<void> write(String name, String text);
}

/// Keeps everything in memory only, for tests.
class MemoryStorage implements ClientStorage {
  final Map<String, String> values = {};

  @override
  Future<String?> read(String name) async => values[name];

  @override
  Future<void> write(String name, String text) async => values[name] = text;
}
