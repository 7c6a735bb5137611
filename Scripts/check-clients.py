"""Makes every call of a generated client once. Usage: check-clients.py FOLDER URL KEY

A call is a name of an operation in Python's spelling, its arguments, and the status that it must have. Bodies are JSON
that is read into the generated models and back, so that their types are tried too."""

import http.server
import importlib
import inspect
import io
import pkgutil
import sys
import threading
import time

from standardwebhooks.webhooks import Webhook, WebhookVerificationError

folder, url, key = sys.argv[1:]
sys.path.insert(0, folder)
package = importlib.import_module("waymark_client")
models = importlib.import_module("waymark_client.models")
types = importlib.import_module("waymark_client.types")
client = package.AuthenticatedClient(base_url=url, token=key,
                                     headers={"Accept": "application/json, */*;q=0.1"})

WEB = {"web": "https://example.com/"}
SHOP = {"id": "shop", "name": "Shop", "ios": {"appIDs": ["ABCDE12345.com.example.shop"], "urlScheme": "shop"},
        "android": {"package": "com.example.shop", "sha256CertFingerprints": [":".join(["AB"] * 32)]},
        "web": {"baseURL": "https://example.com"}, "firebase": {"enabled": True}, "hoko": {"enabled": True}}
AASA = '{"applinks": {"details": [{"appIDs": ["ABCDE12345.com.example.shop"], "components": [{"/": "/*"}]}]}}'
LOGO = b'<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h8v8z"/></svg>'
sale = {"domain": "localhost", "slug": "sale"}
seen = {}


class Receiver(http.server.BaseHTTPRequestHandler):
    """Verifies webhooks with a library that somebody else wrote."""
    received = []

    def do_POST(self):
        content = self.rfile.read(int(self.headers["Content-Length"]))
        try:
            Receiver.received.append(Webhook(seen["create_webhook"].secret).verify(content, dict(self.headers))["type"])
            self.send_response(204)
        except WebhookVerificationError as error:
            failures.append(f"a webhook can't be verified: {error}")
            self.send_response(400)
        self.end_headers()

    def log_message(self, *arguments):
        pass


def webhook():
    return seen["create_webhook"].id


def person():
    return seen["create_person"].id


def arrived(kind):
    end = time.monotonic() + 20
    while kind not in Receiver.received and time.monotonic() < end:
        time.sleep(0.05)
    if kind not in Receiver.received:
        failures.append(f"no webhook of {kind} has arrived")
    return True


failures = []
receiver = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
threading.Thread(target=receiver.serve_forever, daemon=True).start()
hook = f"http://127.0.0.1:{receiver.server_address[1]}/"

# In this order: what is made is read, changed and deleted. Arguments that are functions are asked when it is their turn.
CALLS = [
    ("put_application", {"id": "shop"}, "Application", SHOP, 201),
    ("create_webhook", {}, "WebhookBody", {"url": hook, "events": ["link.*", "conversion.recorded"]}, 201),
    ("get_application", {"id": "shop"}, None, None, 200),
    ("list_applications", {}, None, None, 200),
    ("put_utm_templates", {"id": "shop"}, "UTMTemplates",
     {"templates": [{"name": "Mail", "campaign": {"source": "newsletter", "medium": None}}]}, 200),
    ("get_utm_templates", {"id": "shop"}, None, None, 200),
    ("put_logo", {"id": "shop"}, "File", LOGO, 204), ("get_logo", {"id": "shop"}, None, None, 200),
    ("create_link", {}, "LinkBody", {"slug": "sale", "urls": WEB, "tags": ["spring"], "metadata": {"coupon": "20"},
                                     "queryParameters": {"n": 42, "on": True}, "campaign": None}, 201),
    ("create_links", {}, ["LinkBody"], [{"slug": "other", "urls": WEB}], 200),
    ("list_links", {"limit": 10, "tag": "spring"}, None, None, 200),
    ("list_links", {"search": "spring", "state": "active", "sort": "-clicks", "count": True,
                    "include": "recentClicks"}, None, None, 200),
    ("list_links", {"app": "shop", "folder": "campaigns"}, None, None, 200), ("list_folders", {"app": "shop"}, None, None, 200),
    ("lock_links", {}, "ApplyLockBody", {"owner": "links"}, 200),
    ("applied_versions", {"owner": "links", "app": "shop"}, None, None, 200),
    ("get_link", sale, None, None, 200),
    ("get_link_by_slug", {"slug": "sale"}, None, None, 200),
    ("patch_link", sale, "LinkPatch", {"tags": ["summer"], "expiresAt": None}, 200),
    ("patch_link_by_slug", {"slug": "sale"}, "LinkPatch", {"redeemLimit": 5}, 200),
    ("get_metadata", sale, None, None, 200),
    ("visit", {"slug": "sale"}, None, None, 302),
    ("visit_root", {}, None, None, 404),
    ("count_clicks", {**sale, "interval": "day"}, None, None, 200),
    ("report_clicks", {"app": ["shop"], "by": "platform,country", "top": "links"}, None, None, 200),
    ("count_events", sale, None, None, 200),
    ("rehearse_link", sale, "LinkRehearsalBody", {"patch": {"disabled": True}, "days": 1}, 200),
    ("verify_link", sale, None, None, 200),
    ("plan_change", {}, "ChangePlanBody", {"select": {"tag": "summer"}, "addTags": ["seen"]}, 200),
    ("rehearse_change", {}, "ChangeRehearsalBody", {"select": {"tag": "summer"}, "addTags": ["seen"]}, 200),
    ("list_planned_changes", {}, None, None, 200), ("confirm_change", {"hash_": "a"}, None, None, 403),
    ("explain_difference", {}, "ExplainDifferenceBody", {"url": url + "/sale", "from": 1}, 200),
    ("resolve", {}, "ResolveBody", {"smartlink": url + "/sale", "platform": "web"}, 200),
    ("report_events", {}, "EventsBody", {"events": [{"id": "e1", "type": "open", "smartlink": url + "/sale",
                                                     "platform": "ios", "at": "2026-11-21T10:00:00Z"}]}, 202),
    ("report_conversions", {}, "ConversionsBody", {"conversions": [
        {"id": "c1", "name": "purchase", "smartlink": url + "/sale", "at": "2026-11-21T10:00:00Z",
         "value": {"amount": "12.50", "currency": "EUR"}}]}, 202),
    ("sum_conversions", {"by": "name", "from_": "2026-11-01"}, None, None, 200),
    ("claim_deferred_link", {}, "ClaimBody", {"app": "shop", "platform": "ios", "installID": "i1"}, 200),
    ("forget_installation", {}, "InstallationBody", {"app": "shop", "installID": "i1"}, 204),
    ("create_firebase_short_link", {}, "FirebaseLinkBody", {"longDynamicLink": url + "/?link=https://example.com/"}, 200),
    ("create_firebase_managed_link", {}, "FirebaseLinkBody",
     {"name": "n", "longDynamicLink": url + "/?link=https://example.com/"}, 200),
    ("get_firebase_link_statistics", {"link": url + "/sale", "duration_days": 7}, None, None, 200),
    ("reopen_firebase_attribution", {}, "FirebaseRequestedLink", {"requestedLink": url + "/sale"}, 200),
    ("exchange_firebase_short_link", {}, "FirebaseRequestedLink", {"requestedLink": url + "/sale"}, 200),
    ("install_firebase_attribution", {}, "FirebaseInstallBody", {"bundleId": "com.example.shop"}, 200),
    ("delete_link_by_slug",
     {"slug": lambda: seen["create_firebase_short_link"].short_link.rsplit("/", 1)[1]}, None, None, 204),
    ("create_import", {}, "ImportBody",
     {"source": "bitly", "app": "shop", "credentials": {"apiKey": "k", "apiURL": "https://10.0.0.1/"}}, 422),
    ("list_imports", {}, None, None, 200),
    ("get_import", {"id": "none"}, None, None, 404), ("stop_import", {"id": "none"}, None, None, 404),
    ("explain", {}, "ExplainBody", {"url": url + "/sale", "ip": None}, 200),
    ("list_registered_routes", {"id": "shop"}, None, None, 200),
    # The key comes as Bearer, which they refuse.
    ("hoko_create_smartlink", {}, "HokoSmartlinkBody", {"uri": "a"}, 401), ("hoko_list_smartlinks", {}, None, None, 401),
    ("hoko_get_smartlink", {"code": "sale"}, None, None, 401),
    ("hoko_resolve", {}, "HokoResolveBody", {"smartlink": url + "/sale"}, 401), ("hoko_metadata", {}, None, None, 401),
    ("hoko_redeem", {}, "HokoRedeemBody", {}, 401), ("hoko_open", {}, "HokoOpenBody", {"deeplink": "shop://a"}, 401),
    ("hoko_register_route", {}, "HokoRouteBody", {"route": {"path": "a"}}, 401),
    ("hoko_install_ios", {}, "HokoDeviceBody", {"device": {}}, 401),
    ("hoko_install_android", {}, "HokoReferrerBody", {"deeplink": "shop://a"}, 401),
    ("hoko_version", {}, None, None, 401),
    ("lazy_link", {"uri": "a"}, None, None, 404),
    ("create_key", {}, "KeyBody", {"name": "back end", "scopes": ["links"]}, 201),
    ("list_keys", {}, None, None, 200),
    ("delete_key", {"id": lambda: seen["create_key"].id}, None, None, 204),
    ("create_person", {}, "PersonBody", {"name": "Ana", "email": "ana@example.com",
                                         "memberships": [{"app": "shop", "role": "editor"}, {"app": None, "role": "viewer"}]}, 201),
    ("list_people", {}, None, None, 200),
    ("list_audit", {"action": "person.*"}, None, None, 200),
    ("get_person", {"id": person}, None, None, 200),
    ("patch_person", {"id": person}, "PersonPatch", {"email": None, "disabled": True}, 200),
    ("invite_person", {}, "InvitationBody", {"role": "viewer", "name": "Bo"}, 201),
    ("list_person_programs", {"id": person}, None, None, 200),
    ("end_person_program", {"id": person, "program": "none"}, None, None, 404),
    ("delete_person", {"id": person}, None, None, 204),
    ("list_programs", {}, None, None, 200), ("end_program", {"id": "none"}, None, None, 404),
    ("share_report", {}, "SharedReportBody", {"title": "Sale", "query": "top=links", "expiresAt": None}, 201),
    ("list_shared_reports", {}, None, None, 200),
    ("read_shared_report", {}, "SharedReportToken",
     lambda: {"token": seen["share_report"].link.split("=", 1)[1]}, 200),
    ("end_shared_report", {"id": lambda: seen["share_report"].id}, None, None, 204),
    ("passkey_sign_in_options", {}, None, None, 200),
    ("passkey_options", {}, "PasskeyOptionsBody", {}, 403),
    ("register_passkey", {}, "PasskeyBody", {"credential": {"id": "AQID", "type": "public-key"}}, 403),
    ("sign_in_by_provider", {}, None, None, 404), ("provider_callback", {}, None, None, 404),
    ("create_webhook", {}, "WebhookBody", {"url": "https://192.0.2.1/hook", "events": ["link.*"]}, 422),
    ("list_webhooks", {}, None, None, 200),
    ("get_webhook", {"id": webhook}, None, None, 200),
    ("patch_webhook", {"id": webhook}, "WebhookPatch", {"name": "receiver"}, 200),
    ("test_webhook", {"id": webhook}, None, None, 202),
    ("list_deliveries", {"id": lambda: arrived("webhook.test") and webhook(), "state": "delivered"}, None, None, 200),
    ("replay_deliveries", {"id": webhook}, "ReplayBody", {"since": "2026-11-21T10:00:00Z"}, 202),
    ("rotate_webhook_secret", {"id": webhook}, None, None, 200),
    ("lint_association", {}, "AssociationSubject", {"document": AASA}, 200),
    ("simulate_association", {}, "AssociationSimulateBody", {"document": AASA, "url": "https://example.com/a"}, 200),
    ("apple_association", {}, None, None, 200),
    ("apple_association_at_root", {}, None, None, 200),
    ("asset_links", {}, None, None, 200),
    ("well_known", {"file": "nothing"}, None, None, 404),
    ("acme_challenge", {"token": "nothing"}, None, None, 404),
    ("list_domains", {}, None, None, 200),
    ("revoke_certificate", {"domain": "none.example.com"}, "RevocationBody", {"reason": "superseded"}, 404),
    ("problems", {}, None, None, 200),
    ("mcp", {}, "MCPMessage", {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}, 200),
    ("mcp_stream", {}, None, None, 405), ("mcp_session", {}, None, None, 405),
    # Forms and redirects of OAuth are for its own clients (Scripts/check-assistants.py).
    ("protected_resource", {}, None, None, 200), ("protected_resource_mcp", {}, None, None, 200),
    ("authorization_server", {}, None, None, 200), ("register_client", {}, None, None, 415),
    ("authorize", {}, None, None, 400), ("answer_consent", {}, None, None, 415), ("token", {}, None, None, 415),
    ("revoke_token", {}, None, None, 415),
    ("documentation_index", {}, None, None, 200), ("documentation_page", {"name": "concepts"}, None, None, 200),
    ("documentation_start", {}, None, None, 200), ("documentation_search", {}, None, None, 200),
    ("documentation_html", {"name": "concepts"}, None, None, 200),
    ("health", {}, None, None, 200), ("readiness", {}, None, None, 200), ("metrics", {}, None, None, 200),
    ("sign_in", {}, "SignInBody", {"key": key}, 204), ("get_session", {}, None, None, 200),
    ("sign_out", {}, None, None, 403),
    ("start_page", {}, None, None, 200), ("association_page", {}, None, None, 200), ("reference_page", {}, None, None, 200),
    ("favicon", {}, None, None, 200), ("robots", {}, None, None, 200), ("openapi", {}, None, None, 200),
    ("file", {"file": "style.css"}, None, None, 200),
    ("qr_code_png", {"slug": "sale"}, None, None, 200), ("qr_code_svg", {"slug": "sale"}, None, None, 200),
    ("patch_links", {}, "BulkPatchBody", {"select": {"links": ["localhost/sale"]}, "addTags": ["bulk"]}, 200),
    ("delete_links", {}, "BulkDeleteBody", {"select": {"links": ["localhost/none"]}, "dryRun": True}, 200),
    ("rename_link", {**sale, "slug": "other"}, "LinkRenameBody", {"slug": "renamed"}, 200),
    ("link_history", sale, None, None, 200),
    ("restore_link", sale, "LinkRestoreBody", {"version": 1}, 200),
    ("link_qr_code_png", sale, None, None, 200), ("link_qr_code_svg", sale, None, None, 200),
    ("delete_logo", {"id": "shop"}, None, None, 204),
    ("delete_link", sale, None, None, 204),
    ("delete_link_by_slug", {"slug": "other"}, None, None, 204),
    ("delete_webhook", {"id": lambda: arrived("link.deleted") and webhook()}, None, None, 204),
    ("delete_application", {"id": "shop"}, None, None, 204),
]

operations = {}
for module in pkgutil.walk_packages(package.__path__, "waymark_client."):
    if ".api." in module.name and not module.ispkg:
        operations[module.name.rsplit(".", 1)[1]] = importlib.import_module(module.name)


def typed(name, parameter, value):
    """The value as the generated enumeration of the parameter, where it has one."""
    for kind in getattr(parameter.annotation, "__args__", ()):
        if isinstance(kind, type) and hasattr(kind, "__members__"):
            return kind(value)
    return value


def body(model, value):
    if isinstance(model, list):
        return [body(model[0], element) for element in value]
    if model == "File":
        return types.File(payload=io.BytesIO(value))
    return getattr(models, model).from_dict(value)


# Generated clients read a response to its end.
ENDLESS = {"watch_clicks"}

missing = sorted(set(operations) - {call[0] for call in CALLS} - ENDLESS)
if missing:
    failures.append("no call is made of: " + ", ".join(missing) + " (Scripts/check-clients.py)")
for name, arguments, model, value, status in CALLS:
    if name not in operations:
        failures.append(f"{name}: the client has no such call")
        continue
    call = operations[name].sync_detailed
    parameters = inspect.signature(call).parameters
    given = {k: typed(name, parameters[k], v() if callable(v) else v) for k, v in arguments.items()}
    if model:
        given["body"] = body(model, value() if callable(value) else value)
    try:
        answer = call(client=client, **given)
    except Exception as error:
        failures.append(f"{name}: {type(error).__name__}: {str(error)[:300]}")
        continue
    if int(answer.status_code) != status:
        failures.append(f"{name}: {int(answer.status_code)}, not {status}: {answer.content[:300]!r}")
    if status < 300:
        seen[name] = answer.parsed

for failure in failures:
    print(failure, file=sys.stderr)
print(f"{len(CALLS) - len(failures)} of {len(CALLS)} calls of the generated client were answered as the document says.")
sys.exit(1 if failures else 0)
