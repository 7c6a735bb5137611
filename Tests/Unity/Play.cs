// A game's life with the client of docs/guide/unity.md, against a service: a link is created, opened until its coupon is used up,
// and claimed once.
using System;
using System.Collections;
using Newtonsoft.Json.Linq;
using UnityEngine;

public static class Secrets
{
    public static readonly string WaymarkKey = Environment.GetEnvironmentVariable("WAYMARK_KEY");
}

public static class InstallReferrer
{
    public static IEnumerator Read(Action<string> done)
    {
        done(null);
        yield break;
    }
}

public static class Play
{
    private static int failures;

    public static int Main(string[] arguments)
    {
        var service = arguments[0];
        var clipboard = arguments[1];
        var waymark = new WaymarkClient(service, Secrets.WaymarkKey, "shop", "android", "localhost", "127.0.0.1");
        Action<WaymarkError> fail = error => { throw new InvalidOperationException(error.Message); };

        string smartlink = null;
        var body = JObject.Parse("{\"route\": \"products/:product_id\", \"routeParameters\": {\"product_id\": \"42\"}, \"metadata\": {\"coupon\": \"20\"}, \"redeemLimit\": 1}");
        MonoBehaviour.Run(waymark.CreateSmartlink(body, link => smartlink = link, fail));
        JObject first = null, second = null;
        MonoBehaviour.Run(waymark.Resolve(smartlink, null, response => first = response, fail));
        MonoBehaviour.Run(waymark.Resolve(smartlink, null, response => second = response, fail));
        Expect("the first resolve", "shop://products/42 20", first["deeplink"] + " " + first["metadata"]["coupon"]);
        Expect("the second resolve", "exhausted", second["redeem"]["status"]);

        WaymarkError unknown = null;
        MonoBehaviour.Run(waymark.Resolve(service + "/unknown9", null, _ => { }, error => unknown = error));
        Expect("an unknown link", "404 urn:waymark:problem:link-unknown", unknown == null ? "" : unknown.Status + " " + unknown.Type);

        JObject deferred = null, again = null;
        MonoBehaviour.Run(waymark.ClaimDeferred(null, "my password", response => deferred = response, fail));
        Expect("a claim with private text", "", deferred);
        MonoBehaviour.Run(waymark.ClaimDeferred(null, clipboard, response => deferred = response, fail));
        MonoBehaviour.Run(waymark.ClaimDeferred(null, clipboard, response => again = response, fail));
        Expect("the claim", "shop://products/7", deferred == null ? "" : deferred["deeplink"]);
        Expect("a second claim", "", again);

        waymark.RecordOpen(null, smartlink);
        // The install without a click, the one with it, and the open.
        Expect("events before flushing", 3, JArray.Parse(PlayerPrefs.GetString("waymark.events", "[]")).Count);
        MonoBehaviour.Run(waymark.Flush());
        Expect("events after flushing", "[]", PlayerPrefs.GetString("waymark.events", "[]"));
        Expect("requests without a response", "[]", PlayerPrefs.GetString("waymark.requests", "[]"));
        return failures == 0 ? 0 : 1;
    }

    private static void Expect(string what, object expected, object actual)
    {
        if (expected.ToString() == (actual ?? "").ToString()) return;
        failures++;
        Console.Error.WriteLine(what + ": expected " + expected + ", got " + actual);
    }
}
