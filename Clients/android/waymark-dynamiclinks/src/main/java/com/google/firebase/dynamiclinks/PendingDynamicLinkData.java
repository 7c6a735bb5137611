package com.google.firebase.dynamiclinks;

import android.content.Context;
import android.content.Intent;
import android.content.pm.PackageManager;
import android.net.Uri;
import android.os.Bundle;
import androidx.annotation.NonNull;
import androidx.annotation.Nullable;
import java.util.Map;
import waymark.client.AppUpdate;
import waymark.client.ResolvedLink;

/** The link that the app was opened with. */
public class PendingDynamicLinkData {
    private final String link;
    private final int minimumVersion;
    private final long clickTimestamp;
    private final Uri redirectUrl;
    private final Bundle utmParameters = new Bundle();

    protected PendingDynamicLinkData(@Nullable String deepLink, int minVersion, long clickTimestamp,
            @Nullable Uri redirectUrl) {
        link = deepLink;
        minimumVersion = minVersion;
        this.clickTimestamp = clickTimestamp;
        this.redirectUrl = redirectUrl;
    }

    static PendingDynamicLinkData of(ResolvedLink resolved) {
        AppUpdate update = resolved.getUpdate();
        Uri store = update == null || update.getUrl() == null ? null : Uri.parse(update.getUrl());
        PendingDynamicLinkData data = new PendingDynamicLinkData(
                resolved.getDeeplink(), version(update), System.currentTimeMillis(), store);
        for (Map.Entry<String, String> item : resolved.getQueryParameters().entrySet()) {
            if (item.getKey().startsWith("utm_")) data.utmParameters.putString(item.getKey(), item.getValue());
        }
        return data;
    }

    /** Versions of Firebase's links are version codes; another one counts as none. */
    private static int version(AppUpdate update) {
        try {
            return update == null ? 0 : Integer.parseInt(update.getMinimumVersion());
        } catch (NumberFormatException error) {
            return 0;
        }
    }

    /** The destination; null if the link has none for this platform. */
    @Nullable
    public Uri getLink() {
        return link == null ? null : Uri.parse(link);
    }

    /** The link's {@code utm_*} parameters. */
    @NonNull
    public Bundle getUtmParameters() {
        return new Bundle(utmParameters);
    }

    /** The version code that the link requires, if the app's is lower; else 0. */
    public int getMinimumAppVersion() {
        return minimumVersion;
    }

    /** When the link was received, in milliseconds: the service does not say when it was clicked. */
    public long getClickTimestamp() {
        return clickTimestamp;
    }

    /** Opens the app's page in the store, if the link requires a newer version; else null. */
    @Nullable
    @SuppressWarnings("deprecation")
    public Intent getUpdateAppIntent(@NonNull Context context) {
        if (minimumVersion == 0) return null;
        String name = context.getApplicationContext().getPackageName();
        try {
            int installed = context.getPackageManager().getPackageInfo(name, 0).versionCode;
            if (installed >= minimumVersion) return null;
        } catch (PackageManager.NameNotFoundException error) {
            return null;
        }
        Uri store = redirectUrl == null ? Uri.parse("market://details?id=" + name) : redirectUrl;
        return new Intent(Intent.ACTION_VIEW).setData(store).setPackage("com.android.vending");
    }

    /** Without the link and its parameters, which may be private. */
    @Override
    @NonNull
    public String toString() {
        return "PendingDynamicLinkData(hasLink: " + (link != null) + ", minimumAppVersion: " + minimumVersion + ")";
    }
}
