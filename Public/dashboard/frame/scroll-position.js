// Where a page is scrolled to: kept while a filter shows it again, and found again by Back and
// reload.

/**
 * Milliseconds without scrolling after which the position is kept: browsers limit how often the
 * history may change.
 */
const PAUSE = 150;
let timer = 0;

function remember() {
  clearTimeout(timer);
  timer = window.setTimeout(() => history.replaceState({ top: window.scrollY }, ""), PAUSE);
}

/**
 * Call it before a page is shown. The page stays as tall as it was, or was scrolled to, until all
 * that it loads is there.
 *
 * @param {HTMLElement} main
 * @param {boolean} isSame  whether the page itself stays
 * @returns {(then: () => void) => void}  to call once it is shown
 */
export function keepScrollPosition(main, isSame) {
  clearTimeout(timer);
  const top = isSame ? window.scrollY : (history.state?.top ?? 0);
  const minimum = Math.max(isSame ? main.offsetHeight : 0, top + window.innerHeight);
  main.style.minBlockSize = top ? `${minimum}px` : "";
  return (done) => {
    window.scrollTo(0, top);
    const settle = () => {
      if (main.querySelector("[aria-busy]")) return;
      watch.disconnect();
      main.style.minBlockSize = "";
      done();
    };
    const watch = new MutationObserver(settle);
    watch.observe(main, {
      subtree: true,
      childList: true,
      attributes: true,
      attributeFilter: ["aria-busy"],
    });
    settle();
  };
}

window.addEventListener("scroll", remember, { passive: true });
