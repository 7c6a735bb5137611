// Browsers don't send a URL's fragment to the server, but keep it across redirects. This page does the same:
// it adds the fragment to its buttons, to the link that it copies, and to Play's referrer.
"use strict";

const fragment = location.hash;

function withFragment(address) {
    const end = address.indexOf("#Intent;");
    if (address.startsWith("intent:") && end >= 0) {
        const data = address.slice(0, end);
        const fields = address.slice(end).replace(/;S\.browser_fallback_url=([^;]*)/, (_, fallback) =>
            ";S.browser_fallback_url=" + encodeURIComponent(withFragment(decodeURIComponent(fallback))));
        return (data.includes("#") ? data : data + fragment) + fields;
    }
    if (address.startsWith("https://play.google.com/")) {
        const named = `&waymark_fragment=${encodeURIComponent(decodeURIComponent(fragment.slice(1)))}`;
        return address.replace(/([?&]referrer=waymark%3D[^&#]*)/, (referrer) =>
            referrer + encodeURIComponent(named));
    }
    // The App Store passes nothing on, and Firebase's SDK takes only a link that ends in its mark.
    const isKept = address.startsWith("https://apps.apple.com/") || address.endsWith("&_icp=1");
    return isKept || address === "" || address.includes("#") ? address : address + fragment;
}

try {
    if (fragment.length > 1) {
        for (const link of document.querySelectorAll("article a[href]")) {
            link.setAttribute("href", withFragment(link.getAttribute("href")));
        }
        for (const name of ["fallback", "copy", "mac", "ipad"]) {
            for (const element of document.querySelectorAll(`[data-${name}]`)) {
                element.dataset[name] = withFragment(element.dataset[name]);
            }
        }
    }
} catch {
    // A fragment with a "%" that encodes nothing: the page leads on without it.
}
