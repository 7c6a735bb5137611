// Asks for what the first page needs before its modules are there to ask: the session, and the
// modules and texts of the page in the address. The document lists them.
import { currentAddress } from "./address.js";
import { fetchTexts } from "../texts/language.js";

// Links that sign in, and those to invitations and reports, are no pages: their session is new.
let session = /^(#\/.*|#authorize=.*|)$/.test(location.hash) ? fetch("/_/session") : undefined;
session?.catch(() => {});

const [name = "overview", ...rest] = currentAddress().segments;
const list = document.querySelector(`meta[name="${CSS.escape(name)}/${rest.length}"]`);
for (const file of list?.getAttribute("content")?.split(" ") ?? []) {
  const link = document.createElement("link");
  link.href = String(new URL(`../${file}`, import.meta.url));
  link.rel = file.endsWith(".css") ? "preload" : "modulepreload";
  if (link.rel === "preload") link.as = "style";
  document.head.append(link);
  if (file === "shared/page-texts.js") fetchTexts(".pages");
}

/** The answer of the session for its first reader; it changes for later ones. */
export function takeSession() {
  const taken = session;
  session = undefined;
  return taken;
}
