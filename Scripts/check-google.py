"""Uses Google's client for Python, with the discovery document that it brings, as Firebase's back ends do. Usage: check-google.py URL KEY"""

import json
import sys
import urllib.request

from google.oauth2.credentials import Credentials
from googleapiclient.discovery import build
from googleapiclient.errors import HttpError

url, key = sys.argv[1:]
HOST = "https://go.example.com"
API_KEY = "AIzaSyGoogle-0123456789"
# The host of the calls is one of the application, or another one could have links under /v1.
APPLICATION = {"domains": ["go.example.com", "localhost"], "firebase": {"enabled": True, "apiKeys": [API_KEY]},
               "ios": {"appIDs": ["ABCDE12345.com.example.shop"], "appStoreID": "123456789"},
               "android": {"package": "com.example.shop"}, "web": {"baseURL": "https://example.com"}}
LINK = {"domainUriPrefix": HOST, "link": "https://example.com/products/42?a=1&b=ü",
        "androidInfo": {"androidPackageName": "com.example.shop", "androidFallbackLink": "https://example.com/android"},
        "iosInfo": {"iosBundleId": "com.example.shop", "iosAppStoreId": "123456789"},
        "navigationInfo": {"enableForcedRedirect": True},
        "socialMetaTagInfo": {"socialTitle": "A “title”", "socialDescription": "Text", "socialImageLink": "https://example.com/i.png"},
        "analyticsInfo": {"googlePlayAnalytics": {"utmSource": "mail", "utmCampaign": "spring"}}}


def api(method, path, body=None):
    request = urllib.request.Request(
        url + path, method=method, data=json.dumps(body).encode() if body else None,
        headers={"Authorization": f"Bearer {key}", "Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return answer.read()


def client(**arguments):
    return build("firebasedynamiclinks", "v1", client_options={"api_endpoint": url}, cache_discovery=False, **arguments)


def refusal(call):
    """The status and Google's name of an error."""
    try:
        return call.execute()
    except HttpError as error:
        return int(error.resp.status), json.loads(error.content)["error"]["status"]


def expect(name, found, wanted):
    global wrong
    if found != wanted:
        wrong += 1
        print(f"{name}: {found!r}, not {wanted!r}", file=sys.stderr)


wrong = 0
api("PUT", "/api/v1/apps/google", APPLICATION)
app, owner = client(developerKey=API_KEY), client(credentials=Credentials(key))

made = app.shortLinks().create(body={"dynamicLinkInfo": LINK, "suffix": {"option": "SHORT"}}).execute()
short = made["shortLink"]
expect("shortLink", short.startswith(HOST + "/"), True)
expect("previewLink", made["previewLink"], short + "?d=1")
expect("the same link again", app.shortLinks().create(body={"dynamicLinkInfo": LINK, "suffix": {"option": "SHORT"}}).execute()["shortLink"], short)
expect("no link", refusal(app.shortLinks().create(body={"dynamicLinkInfo": {"domainUriPrefix": HOST}})), (400, "INVALID_ARGUMENT"))
expect("another key", refusal(client(developerKey="AIzaSyOther").shortLinks().create(body={"dynamicLinkInfo": LINK})), (401, "UNAUTHENTICATED"))

managed = {"name": "Spring", "dynamicLinkInfo": LINK, "suffix": {"option": "CUSTOM", "customSuffix": "spring"}}
expect("managedShortLink", owner.managedShortLinks().create(body=managed).execute()["managedShortLink"]["link"], HOST + "/spring")
managed["dynamicLinkInfo"] = {**LINK, "link": "https://example.com/other"}
expect("a taken suffix", refusal(owner.managedShortLinks().create(body=managed)), (409, "ALREADY_EXISTS"))
expect("a key that may not read", refusal(app.v1().getLinkStats(dynamicLink=short, durationDays="7"))[0], 403)

opened = owner.v1().reopenAttribution(body={"requestedLink": short}).execute()
expect("deepLink", opened["deepLink"], "https://example.com/products/42?a=1&b=%C3%BC")
expect("utmSource", opened.get("utmSource"), "mail")
statistics = owner.v1().getLinkStats(dynamicLink=short, durationDays="7").execute()
expect("linkStats", statistics, {"linkEventStats": [{"platform": "OTHER", "count": "1", "event": "APP_RE_OPEN"}]})
expect("an installation", "deepLink" in owner.v1().installAttribution(body={"bundleId": "com.example.shop", "appInstallationTime": "1"}).execute(), False)

print("Google's client was answered as Google did." if not wrong else f"{wrong} answers to Google's client are wrong.")
sys.exit(1 if wrong else 0)
