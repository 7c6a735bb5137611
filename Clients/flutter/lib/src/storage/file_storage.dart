import 'dart:io';

import 'client_storage.dart';

/// Stores each text in a file of a folder that only the app can read: it has links with their metadata. On a
/// computer the folder has the mode 0700 and its files 0600; on a device they are in the app's own container.
class FileStorage implements ClientStorage {
  FileStorage(String folder) : _folder = Future.value(Directory(folder));

  /// A folder that becomes known later. If it can't be had, reading and writing fail.
  FileStorage.later(Future<String> folder) : _folder = folder.then((path) => Directory(path)) {
    _folder.ignore();
  }

  final Future<Directory> _folder;
  bool _isProtected = false;

  @override
  Future<String?> read(String name) async {
    final folder = await _folder;
    if (!await folder.exists()) return null;
    await _protect(folder);
    final file = File('${folder.path}/$name.json');
    return await file.exists() ? file.readAsString() : null;
  }

  @override
  Future<void> write(String name, String text) async {
    final folder = await _folder;
    if (!await folder.exists()) {
      await folder.create(recursive: true);
      _isProtected = false;
    }
    await _protect(folder);
    final file = File('${folder.path}/$name.new');
    // A link that is there would be followed.
    final isLink = await FileSystemEntity.isLink(file.path);
    if (isLink) await Link(file.path).delete();
    // Its mode precedes its text; what a crash has left is overwritten.
    await file.create();
    await _setMode('600', file.path);
    // Renaming replaces the file at once: after a crash the old or the new text is there.
    await file.writeAsString(text, flush: true);
    await file.rename('${folder.path}/$name.json');
  }

  /// Another program may have made the folder.
  Future<void> _protect(Directory folder) async {
    if (_isProtected) return;
    await _setMode('700', folder.path);
    _isProtected = true;
  }

  static Future<void> _setMode(String mode, String path) async {
    if (!Platform.isLinux && !Platform.isMacOS) return;
    try {
      await Process.run('chmod', [mode, path]);
    } on ProcessException {
      // A system without it, or a sandbox that starts no programs: the text is stored as the system protects it.
    }
  }
}
