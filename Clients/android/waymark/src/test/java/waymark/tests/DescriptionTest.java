package waymark.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import waymark.cases.ScriptedNetwork;
import waymark.client.ClientSettings;
import waymark.client.DeferredDeeplink;
import waymark.client.Problem;
import waymark.client.RetryPolicy;
import waymark.client.WaymarkClient;
import waymark.client.json.Json;
import waymark.client.routing.DeeplinkBuilder;
import waymark.client.routing.Deeplinking;
import waymark.client.transport.TransportResponse;

/** What values look like in logs: names, no values. */
class DescriptionTest {
    private static final String ANSWER = "{\"status\":200,\"json\":{\"match\":{\"method\":\"referrer\"},"
            + "\"deeplink\":\"shop://products/SECRET?q=SECRET&_hk_cid=SECRET\",\"route\":\"products/:id\","
            + "\"routeParameters\":{\"id\":\"SECRET\"},\"queryParameters\":{\"q\":\"SECRET\"},"
            + "\"metadata\":{\"coupon\":\"SECRET\"},\"redeem\":{\"used\":1,\"status\":\"redeemed\"}}}";

    private static List<Object> answers(int count) throws Exception {
        List<Object> answers = new ArrayList<>();
        for (int index = 0; index < count; index++) answers.add(Json.read(ANSWER.getBytes("UTF-8")).getValue());
        return answers;
    }

    @Test
    void namesAllAndShowsNoValue() throws Exception {
        ClientSettings settings = WaymarkClient.builder("https://go.example.com", "wm_SECRET").app("shop")
                .transport(new ScriptedNetwork(answers(3))).executor(Runnable::run).sendsEvents(false);
        WaymarkClient client = settings.build();
        DeferredDeeplink deferred = client.claimDeferred("waymark=SECRET", null);
        List<Object> values = new ArrayList<>(List.of(settings, client, client.resolve("https://go.example.com/SECRET"),
                deferred, deferred.getLink().getRedeem(), deferred.getLink().getMetadata(), RetryPolicy.NEVER,
                new TransportResponse(200, Map.of("Authorization", "SECRET"), "SECRET".getBytes("UTF-8")),
                Problem.read(("{\"type\":\"urn:waymark:problem:invalid-fields\",\"title\":\"Invalid\",\"status\":422,"
                        + "\"detail\":\"SECRET\",\"errors\":[{\"field\":\"urls.web\",\"problem\":\"SECRET\"}]}")
                        .getBytes(StandardCharsets.UTF_8), 422),
                new DeeplinkBuilder("products/:id").routeParameter("id", "SECRET")));
        Deeplinking deeplinking = new Deeplinking(client, "shop");
        deeplinking.map("products/:id", deeplink -> {});
        deeplinking.open("https://go.example.com/a", values::add);
        assertEquals(11, values.size());
        for (Object value : values) {
            String text = value.toString();
            assertFalse(text.contains("SECRET"), text);
            assertFalse(text.contains("@"), text);
        }
        assertTrue(values.get(2).toString().contains("products/:id"), values.get(2).toString());
        assertTrue(values.get(3).toString().contains("[coupon]"), values.get(3).toString());
        assertEquals("Problem(invalid-fields, status: 422, title: Invalid, errors: [urls.web])",
                values.get(8).toString());
    }

    @Test
    void buildsUncheckedWithTheSameReason() {
        String message = assertThrows(IllegalArgumentException.class,
                () -> WaymarkClient.builder("http://go.example.com", "wm_x").buildUnchecked()).getMessage();
        assertTrue(message.contains("https"), message);
    }
}
