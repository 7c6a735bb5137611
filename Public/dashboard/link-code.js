// A link's QR code, as the server draws it.
import { element, texts } from "./base.js";

/** @param {Link} link */
export function codeSection(link) {
  const t = texts.code;
  const isHere = link.domain === location.hostname || link.domain === location.host;
  // Pictures of other hosts are not allowed on this page; there, the picture is one click away.
  const base = isHere ? "/" + link.slug : link.smartlink;
  const isShown = isHere && link.state === "active";
  const name = isHere ? link.slug.replaceAll("/", "-") : null;
  const picture = element("div");
  if (isShown) {
    picture.append(element("img", {
      src: `${base}/qr.svg`, width: 200, height: 200, alt: t.alt(link.smartlink),
      error: () => picture.replaceChildren(element("p", {}, t.failed)),
    }));
  } else {
    picture.append(element("p", {}, isHere ? t.inactive : t.elsewhere(link.domain)));
  }
  return element("details", { class: "code", open: true }, element("summary", {}, t.title), picture,
    (isShown || !isHere) && element("p", { class: "buttons" },
      element("a", { href: `${base}/qr.svg`, download: name && `${name}.svg`, rel: "noreferrer" }, "SVG"),
      element("a", { href: `${base}/qr.png?size=1024`, download: name && `${name}.png`, rel: "noreferrer" }, "PNG")));
}
