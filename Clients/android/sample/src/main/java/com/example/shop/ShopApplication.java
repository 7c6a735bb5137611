package com.example.shop;

import android.app.Application;
import waymark.client.WaymarkClient;
import waymark.client.android.ActivityLinks;
import waymark.client.android.AndroidClient;
import waymark.client.routing.Deeplinking;
import waymark.installreferrer.PlayInstallReferrer;

/** Makes the client and the router once; routes are mapped by the activity that shows their screens. */
public class ShopApplication extends Application {
    static String service = "https://go.example.com";
    /** A key with the scopes for apps only; anybody can read it in the app. */
    static String key = "wm_replace_with_a_key_of_the_scopes_resolve_and_create";

    private WaymarkClient client;
    private Deeplinking deeplinking;

    @Override
    public void onCreate() {
        super.onCreate();
        client = AndroidClient.builder(this, service, key).app("shop")
                // For a service on your machine, which `adb reverse` brings to the device.
                .allowsPlainLoopback(true).buildUnchecked();
        deeplinking = new Deeplinking(client, "shop");
        ActivityLinks.register(this, deeplinking, MainActivity.class)
                .openDeferred(new PlayInstallReferrer(this), result -> {});
    }

    public WaymarkClient client() {
        return client;
    }

    public Deeplinking deeplinking() {
        return deeplinking;
    }
}
