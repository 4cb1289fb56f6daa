// Small comforts for those who have JavaScript; every page works without it.
const parts = [["d", 86400], ["h", 3600], ["min", 60], ["s", 1]];

function span(seconds) {
  const from = parts.findIndex(([, size]) => seconds >= size);
  if (from < 0) return "0 s";
  const [unit, size] = parts[from];
  const [small, smallSize] = parts[from + 1] ?? [];
  const rest = small ? Math.floor((seconds % size) / smallSize) : 0;
  return `${Math.floor(seconds / size)} ${unit}` + (rest ? ` ${rest} ${small}` : "");
}

function tick() {
  for (const time of document.querySelectorAll("time[data-until]")) {
    const left = Math.round((Date.parse(time.dateTime) - Date.now()) / 1000);
    const words = time.dataset.until === "left" ? `${span(left)} left` : `in ${span(left)}`;
    time.textContent = left > 0 ? words : "any moment now";
  }
}

// A form is in use when it has the focus or holds something the server did not put there.
const atFirst = ({ options }) => Math.max([...options].findLastIndex((option) => option.defaultSelected), 0);
const changed = (field) => field.type === "hidden" || field.type === "submit" ? false
  : field.options ? field.selectedIndex !== atFirst(field)
  : ["checkbox", "radio"].includes(field.type) ? field.checked !== field.defaultChecked : field.value !== field.defaultValue;
const isUsed = (form) => form.contains(document.activeElement)
  || [...form.elements].some((field) => "defaultValue" in field || field.options ? changed(field) : false);
const inUse = (part) => [...part.querySelectorAll("form")].some(isUsed);
// A press that began, and a form that waits for its answer, need the part to stay in the document.
const underWay = (part) => part.matches(":active") || part.querySelector("form.htmx-request") !== null;
// Who is about to press a button that does something named on it must not press another one.
const pointedAt = (part, fresh) => {
  const [ways, others] = [part, fresh].map((each) => [...each.querySelectorAll("form.way")]);
  const at = ways.findIndex((way) => way.matches(":hover"));
  return ways.slice(0, at + 1).some((way, place) => way.textContent !== others[place]?.textContent);
};
// The answer to an act brings what it changed. The other forms of such a part stay as they are filled; false where one of them is there no more.
let answered = null;
const keepOthers = (part, fresh) => {
  const used = [...part.querySelectorAll("form")].filter((form) => form !== answered && (isUsed(form) || form.matches(".htmx-request")));
  const pairs = used.map((form) => [form, form.id && fresh.querySelector(`#${CSS.escape(form.id)}`)]);
  if (part.matches(":active") || !pairs.every(([, twin]) => twin)) return false;
  pairs.forEach(([form, twin]) => twin.replaceWith(form));
  return true;
};

// What was done stays in sight for a while, wherever one is on the page.
let reading;
function tellForAWhile() {
  const receipt = document.querySelector("#receipt");
  clearTimeout(reading);
  receipt?.classList.remove("read");
  reading = setTimeout(() => receipt?.classList.add("read"), 12_000);
}

let missed = false;
const figures = new Map();

// Who fills in one of several ways to go on means that one.
document.addEventListener("change", (event) => {
  const way = event.target.matches(".kind select") && event.target.closest(".kind").querySelector("[type=radio]");
  if (way) way.checked = true;
});
document.addEventListener("click", (event) => {
  event.target.closest("time[title]")?.classList.toggle("told");
  if (!event.target.closest("details.more")) document.querySelector("details.more[open]")?.removeAttribute("open");
  // A link in a picture whose answer htmx puts into the page; htmx keeps browsers from following HTML's links alone.
  if (event.target.closest("svg a[hx-get]") && !event.ctrlKey && !event.metaKey) event.preventDefault();
  // A card that is tapped is in the offer that is begun.
  const suit = event.target.closest("svg a[data-give]")?.dataset.give;
  const amount = suit && document.querySelector(`#form-aceofspades-offer [name="gives_${CSS.escape(suit)}"]`);
  if (amount) amount.value = 1;
});
// What is tapped of a rule is changed in a small form on the same page.
document.addEventListener("click", (event) => {
  const [spot, form] = [event.target.closest("a.spot, a[data-shut]"), document.querySelector("#spot")];
  if (!spot || !form || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const before = document.querySelector("a.spot[aria-current]");
  before?.removeAttribute("aria-current");
  if (spot.matches("[data-shut]")) {
    form.replaceChildren();
    before?.focus();
    return;
  }
  spot.setAttribute("aria-current", "true");
  htmx.ajax("GET", spot.href, { target: form }).then(() => document.querySelector("#spot-words")?.focus({ preventScroll: true }));
  spot.scrollIntoView({ block: "nearest" }); // above the form
});
// What is typed there is not lost with the page (of longer texts keep.js does it), and comes back to
// who typed it alone.
const keptAs = (field) => `${document.body.dataset.user}:${field.dataset.kept}`;
document.addEventListener("input", ({ target }) => {
  if (target.dataset.kept) sessionStorage.setItem(keptAs(target), target.value);
});
document.addEventListener("submit", ({ target }) => {
  for (const field of target.querySelectorAll("[data-kept]")) sessionStorage.removeItem(keptAs(field));
});
function bringBack(root) {
  for (const field of root.querySelectorAll("[data-kept]")) {
    const kept = sessionStorage.getItem(keptAs(field));
    if (kept === null || kept === field.value) continue;
    field.value = kept;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
}
document.addEventListener("htmx:load", ({ detail }) => bringBack(detail.elt.parentElement ?? detail.elt));
// A form that has been answered may be sent again, but the second half of a double click counts nowhere.
document.addEventListener("click", (event) => {
  if (event.detail > 1 && event.target.closest("[type=submit]")) event.preventDefault();
}, true);
const freshKey = () => [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
// Later dice depend on an act's key: the browser chooses it, not the site, and once for each form.
// A draft goes by its key, and may be open in several windows (the field “window”): it keeps that.
const chosen = new WeakSet();
document.addEventListener("submit", ({ target: { elements: { key, window: drafted } } }) => {
  if (!key || drafted || chosen.has(key)) return;
  key.value = freshKey();
  chosen.add(key);
}, true);

let later = 0; // the moment before which the site wants to be asked for no live part
document.addEventListener("htmx:beforeRequest", (event) => {
  if (event.target.matches("#live, #whisper, #living, #here") && (document.hidden || Date.now() < later)) event.preventDefault();
});
document.addEventListener("htmx:configRequest", (event) => {
  const { target, detail } = event;
  const live = document.querySelector("#live");
  if (live && target.matches("form") && detail.verb === "post") detail.headers["Nomic-Live"] = live.getAttribute("hx-get");
  if (target !== live || !missed) return;
  if ([...document.querySelectorAll("[data-leave-alone]")].some(inUse)) return;
  detail.path = detail.path.replace(/([?&]v=)[^&]*/, "$1");
  missed = false;
});
// A whole page where a part was asked for says that the site is away: it must not land in the page,
// unless what asked takes its part out of the page.
const unheard = (event) => {
  if (event.target.matches("form")) document.querySelector("#receipt").replaceChildren(document.querySelector("#unheard").content.cloneNode(true));
};
const toldLater = (event) => {
  const { xhr, requestConfig } = event.detail;
  if (xhr.status !== 503 || !xhr.getResponseHeader("Content-Type")?.startsWith("text/plain")) return false;
  event.detail.shouldSwap = false;
  later = Date.now() + 1000 * Number(xhr.getResponseHeader("Retry-After") ?? 1);
  if (requestConfig.elt.matches("form")) {
    unheard({ target: requestConfig.elt });
    document.querySelector("#receipt > [role=alert]").textContent = xhr.responseText;
  }
  return true;
};
document.addEventListener("htmx:beforeSwap", (event) => {
  answered = null;
  if (toldLater(event)) return;
  const { xhr, requestConfig, target } = event.detail;
  if (target.id === "receipt" && requestConfig.elt.matches("form")) {
    answered = requestConfig.elt;
    emptied(answered);
    const live = document.querySelector("#live"); // what it has on its way was asked for before the act
    if (live) htmx.trigger(live, "htmx:abort");
  }
  if (!/^\s*<!doctype/i.test(xhr.responseText) || (xhr.status === 200 && requestConfig.elt.matches("[hx-select]"))) return;
  event.detail.shouldSwap = false;
  unheard(event);
});
document.addEventListener("htmx:sendError", unheard);
document.addEventListener("htmx:responseError", unheard);
document.addEventListener("htmx:oobBeforeSwap", (event) => {
  const old = event.detail.target;
  for (const figure of old.querySelectorAll("[data-figure]")) figures.set(figure.dataset.figure, figure.textContent);
  const { fragment } = event.detail;
  const left = old.matches("[data-leave-alone]") && inUse(old);
  if (answered ? keepOthers(old, fragment) : !left && !underWay(old) && !pointedAt(old, fragment)) {
    // What was unfolded is kept open, and what was folded shut; what is new is as when the page came.
    foldIn(fragment);
    for (const fold of old.querySelectorAll("details[id]")) {
      const fresh = fragment.querySelector(`#${CSS.escape(fold.id)}`);
      if (fresh) fresh.open = fold.open;
      if (fold.open && fold.matches("[hx-get]")) fresh?.replaceChildren(...fold.childNodes); // what it has asked for
    }
    return;
  }
  event.detail.shouldSwap = false;
  if (left) old.classList.add("stale");
  missed = true;
});
document.addEventListener("htmx:afterSettle", (event) => {
  for (const figure of document.querySelectorAll("[data-figure]")) {
    const before = figures.get(figure.dataset.figure);
    if (before !== undefined && before !== figure.textContent) figure.classList.add("glow");
  }
  figures.clear();
  tellLocalTime(document);
  tick();
  if (event.target.id === "receipt") tellForAWhile();
  if (event.target.matches("form, #receipt")) (event.target.querySelector("[data-focus]") ?? event.target.querySelector("[aria-invalid=true]"))?.focus({ preventScroll: event.target.id === "receipt" });
});
function emptied(form) {
  form.reset();
  // What was refused before stands in a form as the server drew it: it is told no more, and the next look asks for the form anew.
  const refused = form.querySelectorAll(".refused");
  refused.forEach((old) => old.remove());
  missed ||= refused.length > 0;
  if (form.elements.key) form.elements.key.value = freshKey();
  document.activeElement?.blur();
}
document.addEventListener("htmx:afterRequest", (event) => {
  const form = event.target; // what a button or a part of the form asked for leaves it filled
  if (form.matches("form") && event.detail.xhr.status === 200 && event.detail.requestConfig.verb === "post") emptied(form);
});

// Writing a proposal: what is pointed at in the text, examples that are put into it, and whether
// what was typed has been saved.
const write = (event) => {
  const { caret, line, copy, insert } = event.target.closest("[data-caret], [data-line], [data-copy], [data-insert]")?.dataset ?? {};
  const text = document.querySelector("#compose textarea");
  if (!text || !(caret || line || copy || insert)) return;
  let [from, to] = (caret ?? "0 0").split(" ").map(Number);
  if (caret) [from, to] = [from, to].map((place) => [...text.value].slice(0, place).join("").length);
  if (line) {
    const [row, column] = line.split(" ").map(Number);
    const lines = text.value.split("\n");
    from = lines.slice(0, row - 1).join("\n").length + (row > 1) + [...lines[row - 1] ?? ""].slice(0, column - 1).join("").length;
    to = from + 1;
  }
  text.focus();
  if (insert) {
    text.setRangeText(insert, text.selectionStart, text.selectionEnd, "end");
    text.dispatchEvent(new Event("input", { bubbles: true }));
  } else if (copy) {
    const [end, example] = [text.selectionEnd, document.getElementById(copy).textContent];
    const lead = end && !text.value.slice(0, end).endsWith("\n") ? "\n\n" : "";
    text.setRangeText(`${lead}${example}\n`, end, end, "end");
    text.dispatchEvent(new Event("input", { bubbles: true }));
  } else {
    text.setSelectionRange(from, to);
    const { lineHeight } = getComputedStyle(text);
    text.scrollTop = (text.value.slice(0, from).split("\n").length - 3) * parseFloat(lineHeight);
  }
};
document.addEventListener("click", write);
document.addEventListener("htmx:afterRequest", (event) => {
  const { target, detail } = event;
  if (target.matches("[data-drafts]")) target.parentElement.classList.toggle("cut-off", detail.xhr.status !== 200);
});

// A preview that is of an older text says so until that of the text beside it is there.
let typed = 0, asked = 0;
const preview = () => document.querySelector("#preview");
document.addEventListener("input", ({ target }) => {
  if (target.form?.id !== "compose" || target.closest(".picker") || !preview()) return;
  typed += 1;
  preview().parentElement.classList.add("older");
});
document.addEventListener("htmx:beforeRequest", ({ detail }) => { if (detail.target?.id === "preview") asked = typed; });
document.addEventListener("htmx:afterSwap", ({ target }) => {
  if (target.id === "preview" && asked === typed) target.parentElement.classList.remove("older");
});

// What an act would bring now stands in its preview: an older refusal of it is past.
document.addEventListener("htmx:afterSwap", ({ target }) => {
  if (target.id === "trial") target.scrollIntoView({ block: "nearest" });
  if (target.matches(".foreseen")) target.parentElement.querySelectorAll(".page-form > .refused").forEach((old) => old.remove());
});

// What a narrow window has no room for is folded at first, unless the address leads into it.
function foldIn(root) {
  if (matchMedia("(min-width: 44rem)").matches) return;
  const led = location.hash.slice(1);
  for (const fold of root.querySelectorAll("details.fold")) fold.open = [fold, ...fold.querySelectorAll("[id]")].some(({ id }) => id === led);
}
foldIn(document);
function openLed() {
  const fold = document.getElementById(location.hash.slice(1))?.closest("details.fold");
  if (fold) fold.open = true;
}
openLed();
addEventListener("hashchange", openLed);
// On a narrow window the bar begins with the tab of this page in sight.
const tab = document.querySelector(".tabs [aria-current]");
if (tab) tab.parentElement.scrollLeft = tab.offsetLeft - tab.parentElement.offsetLeft - 48;
setInterval(tick, 1000);
tellForAWhile();
tick();

// A link is copied, or handed to what the device shares with, where it can be.
function offerLinks(root) {
  for (const button of root.querySelectorAll("[data-link-copy]")) button.hidden = !navigator.clipboard;
  for (const button of root.querySelectorAll("[data-link-share]")) button.hidden = !navigator.share;
}
document.addEventListener("click", ({ target }) => {
  const { linkCopy, linkShare } = target.dataset ?? {};
  if (linkCopy) navigator.clipboard.writeText(linkCopy).then(() => { target.textContent = "Copied"; });
  if (linkShare) navigator.share({ title: document.title, url: linkShare }).catch(() => {});
});
offerLinks(document);
document.addEventListener("htmx:load", ({ detail }) => offerLinks(detail.elt));
