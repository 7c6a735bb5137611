import 'dart:async';
import 'dart:convert';

import 'client_storage.dart';

/// How a value is stored. [read] returns null, or throws, for JSON of another form; [merge] adds changes made
/// while nothing could be read.
class StoredForm<Value> {
  const StoredForm({required this.name, required this.read, required this.json, required this.merge});

  final String name;
  final Value? Function(Map<String, Object?> json) read;
  final Map<String, Object?> Function(Value value) json;
  final Value Function(Value stored, Value later) merge;
}

/// A stored JSON value with its copy in memory. Updates run one after the other, and each is stored before
/// its future completes.
///
/// If the storage can't be read, each use tries again, and nothing is written before a read has succeeded, so
/// that no stored data is lost. If a write fails, the value stays in memory and the next update writes it.
class StoredValue<Value> {
  StoredValue(this._storage, this._form) : _value = _form.read({}) as Value;

  final ClientStorage _storage;
  final StoredForm<Value> _form;
  Value _value;
  String _storedText = '';
  bool _isLoaded = false;
  bool _isDirty = false;
  Future<void> _last = Future.value();

  /// Changes the value in place. `isLoaded` is false while the storage can't be read.
  Future<Result> update<Result>(FutureOr<Result> Function(Value value, bool isLoaded) change) {
    final result = _last.then((_) => _apply(change));
    _last = result.then((_) {}, onError: (Object _) {});
    return result;
  }

  Future<Result> _apply<Result>(FutureOr<Result> Function(Value value, bool isLoaded) change) async {
    if (!_isLoaded) {
      try {
        await _load(await _storage.read(_form.name));
        _isLoaded = true;
      } on Object {
        // The next use tries again.
      }
    }
    final result = await change(_value, _isLoaded);
    final text = jsonEncode(_form.json(_value));
    _isDirty = _isDirty || text != _storedText;
    if (_isDirty && _isLoaded) {
      try {
        await _storage.write(_form.name, text);
        _isDirty = false;
        _storedText = text;
      } on Object {
        // A full disk must not make a call fail.
      }
    }
    return result;
  }

  Future<void> _load(String? text) async {
    Value? stored;
    try {
      final json = jsonDecode(text ?? '{}');
      if (json is Map<String, Object?>) stored = _form.read(json);
    } on Object {
      // It is set aside.
    }
    if (stored == null) {
      try {
        await _storage.write('${_form.name}.broken', text!);
      } on Object {
        // What is not valid may be lost.
      }
      return;
    }
    _storedText = text == null ? '' : jsonEncode(_form.json(stored));
    final later = _value;
    _value = _isDirty ? _form.merge(stored, later) : stored;
  }
}
