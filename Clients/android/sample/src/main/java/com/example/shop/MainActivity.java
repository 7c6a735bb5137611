package com.example.shop;

import android.app.Activity;
import android.content.Intent;
import android.os.Bundle;
import android.widget.Button;
import android.widget.LinearLayout;
import android.widget.TextView;
import java.util.Collections;
import waymark.client.routing.Deeplink;
import waymark.client.routing.DeeplinkBuilder;
import waymark.client.routing.DeeplinkRegistration;
import waymark.client.routing.Deeplinking;

/**
 * One screen: shows the link that was opened, and shares a smart link. The mode {@code singleTop} brings further links
 * here.
 */
public class MainActivity extends Activity {
    private ShopApplication shop;
    private TextView text;
    private DeeplinkRegistration registration;

    @Override
    protected void onCreate(Bundle savedInstanceState) {
        super.onCreate(savedInstanceState);
        text = new TextView(this);
        text.setText("Open a smart link");
        Button share = new Button(this);
        share.setText("Share product 42");
        share.setOnClickListener(view -> share());
        LinearLayout layout = new LinearLayout(this);
        layout.setOrientation(LinearLayout.VERTICAL);
        layout.addView(text);
        layout.addView(share);
        setContentView(layout);

        shop = (ShopApplication) getApplicationContext();
        Deeplinking deeplinking = shop.deeplinking();
        if (!deeplinking.isMapped("products/:product_id")) {
            deeplinking.map("products/:product_id", deeplink -> {});
            deeplinking.mapDefault(deeplink -> {});
        }
        // The router outlives the activity, so the activity that shows links is registered while it exists.
        registration = deeplinking.addHandler(this::show);
    }

    /** An activity of androidx needs no such method. */
    @Override
    protected void onNewIntent(Intent intent) {
        super.onNewIntent(intent);
        setIntent(intent);
    }

    @Override
    protected void onDestroy() {
        shop.deeplinking().remove(registration);
        super.onDestroy();
    }

    private void show(Deeplink deeplink) {
        String coupon = deeplink.getMetadata() == null ? "none" : deeplink.getMetadata().getString("coupon");
        text.setText("Product " + deeplink.getRouteParameters().get("product_id") + ", coupon " + coupon
                + (deeplink.isDeferred() ? ", from before the installation" : ""));
    }

    private void share() {
        Deeplink product = new DeeplinkBuilder("products/:product_id").routeParameter("product_id", 42)
                .metadata(Collections.singletonMap("coupon", "20")).redeemLimit(1).build();
        shop.deeplinking().generateSmartlink(product, smartlink -> {
            Intent send = new Intent(Intent.ACTION_SEND).setType("text/plain").putExtra(Intent.EXTRA_TEXT, smartlink);
            startActivity(Intent.createChooser(send, null));
        }, error -> text.setText(error.getMessage()));
    }
}
