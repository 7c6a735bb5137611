package io.flutter.plugin.common;

import android.content.Intent;

public interface PluginRegistry {
    interface NewIntentListener {
        boolean onNewIntent(Intent intent);
    }
}
