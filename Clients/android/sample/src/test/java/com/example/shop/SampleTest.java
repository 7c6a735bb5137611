package com.example.shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import android.content.Context;
import android.content.Intent;
import android.net.Uri;
import android.os.Bundle;
import android.os.Looper;
import android.view.ViewGroup;
import android.widget.TextView;
import com.android.installreferrer.api.InstallReferrerClient;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import waymark.client.LinkRequest;
import waymark.tests.Service;
import waymark.tests.TestContext;

/** Plays the sample against the service's program: the app is started, rotated, ended and started again. */
class SampleTest {
    private final Service service = new Service();
    private final TestContext device = new TestContext();
    private App app;
    private MainActivity activity;

    SampleTest() throws Exception {}

    /** The application, with a base as Android gives it. */
    private static final class App {
        final ShopApplication application;

        App(TestContext device) {
            application = new ShopApplication() {
                {
                    attachBaseContext(device);
                }

                @Override
                public Context getApplicationContext() {
                    return this;
                }
            };
            device.setApplication(application);
            application.onCreate();
        }
    }

    @BeforeEach
    void install() {
        ShopApplication.service = service.url;
        ShopApplication.key = Service.KEY;
        InstallReferrerClient.referrer = "utm_source=google-play&utm_medium=organic";
        Looper.getMainLooper().messages.clear();
    }

    @AfterEach
    void remove() throws Exception {
        service.close();
    }

    private void launch(Intent intent, Bundle state) {
        if (activity == null) app = new App(device);
        activity = new MainActivity() {
            {
                attachBaseContext(app.application);
            }
        };
        activity.setIntent(intent);
        activity.onCreate(state);
        activity.performStart();
        activity.performResume();
    }

    /** Another intent, for which Android pauses and resumes the activity. */
    private void receive(Intent intent) {
        activity.onNewIntent(intent);
        activity.performResume();
    }

    private void end() {
        activity.onDestroy();
        activity = null;
    }

    private String text() {
        return ((TextView) ((ViewGroup) activity.content).getChildAt(0)).getText().toString();
    }

    /** Runs the main thread until the text is this one. */
    private void awaitText(String expected) throws InterruptedException {
        while (!text().equals(expected)) {
            Runnable message = Looper.getMainLooper().messages.poll(20, TimeUnit.SECONDS);
            if (message == null) assertEquals(expected, text());
            message.run();
        }
    }

    private String share() throws InterruptedException {
        int before = device.started.size();
        ((ViewGroup) activity.content).getChildAt(1).performClick();
        while (device.started.size() == before) {
            Runnable message = Looper.getMainLooper().messages.poll(20, TimeUnit.SECONDS);
            if (message == null) throw new IllegalStateException(text());
            message.run();
        }
        return device.started.get(before).getStringExtra(Intent.EXTRA_TEXT);
    }

    private static Intent view(String url) {
        return new Intent(Intent.ACTION_VIEW, Uri.parse(url));
    }

    @Test
    void playsFromSharingToTheEventsAfterARestart() throws Exception {
        launch(new Intent("android.intent.action.MAIN"), null);
        String smartlink = share();
        assertTrue(smartlink.startsWith(service.url + "/"), smartlink);

        receive(view(service.clickOnAndroid(smartlink)[0]));
        awaitText("Product 42, coupon 20");
        receive(view(smartlink));
        awaitText("Product 42, coupon none");

        Intent last = view(smartlink);
        launch(last, new Bundle());
        assertEquals("Open a smart link", text(), "a rotated activity opens nothing again");

        service.stop();
        receive(view("shop://products/7?_hk_cid=forged"));
        awaitText("Product 7, coupon none");
        end();
        service.start();
        launch(new Intent("android.intent.action.MAIN"), null);
        app.application.client().flush();
        assertEquals(0, app.application.client().getEventCounts().getWaiting());
        assertEquals(2, service.total(smartlink, "opens"));
    }

    @Test
    void opensTheLinkThatLedToTheInstallation() throws Exception {
        String smartlink = service.client().build().createSmartlink(new LinkRequest("products/:product_id")
                .routeParameter("product_id", 5).metadata(java.util.Collections.singletonMap("coupon", "5")));
        InstallReferrerClient.referrer = service.clickOnAndroid(smartlink)[1];
        launch(new Intent("android.intent.action.MAIN"), null);
        awaitText("Product 5, coupon 5, from before the installation");
        end();
        launch(new Intent("android.intent.action.MAIN"), null);
        assertEquals("Open a smart link", text());
    }
}
