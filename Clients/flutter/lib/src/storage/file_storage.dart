import 'dart:io';

import 'client_storage.dart';

/// Stores each text in a file of a folder that only the app can read: it has links with their metadata. On a
/// computer the folder gets the mode 0700; on a device it is in the app's own container.
class FileStorage implements ClientStorage {
  FileStorage(String folder) : _folder = Future.value(Directory(folder));

  /// A folder that becomes known later. If it can't be had, reading and writing fail.
  FileStorage.later(Future<String> folder) : _folder = folder.then((path) => Directory(path)) {
    _folder.ignore();
  }

  final Future<Directory> _folder;

  @override
  Future<String?> read(String name) async {
    final file = File('${(await _folder).path}/$name.json');
    return await file.exists() ? file.readAsString() : null;
  }

  @override
  Future<void> write(String name, String text) async {
    final folder = await _folder;
    if (!await folder.exists()) {
      await folder.create(recursive: true);
      if (Platform.isLinux || Platform.isMacOS) await Process.run('chmod', ['700', folder.path]);
    }
    // Renaming replaces the file at once: after a crash the old or the new text is there.
    final written = await File('${folder.path}/$name.new').writeAsString(text, flush: true);
    await written.rename('${folder.path}/$name.json');
  }
}
