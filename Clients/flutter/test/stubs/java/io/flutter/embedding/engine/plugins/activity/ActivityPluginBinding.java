package io.flutter.embedding.engine.plugins.activity;

import android.app.Activity;
import android.os.Bundle;
import androidx.annotation.NonNull;
import androidx.annotation.Nullable;
import io.flutter.plugin.common.PluginRegistry;

public interface ActivityPluginBinding {
    Activity getActivity();

    void addOnNewIntentListener(PluginRegistry.NewIntentListener listener);

    void removeOnNewIntentListener(PluginRegistry.NewIntentListener listener);

    void addOnSaveStateListener(@NonNull OnSaveInstanceStateListener listener);

    void removeOnSaveStateListener(@NonNull OnSaveInstanceStateListener listener);

    interface OnSaveInstanceStateListener {
        void onSaveInstanceState(@NonNull Bundle bundle);

        void onRestoreInstanceState(@Nullable Bundle bundle);
    }
}
