// What somebody writes is kept in this browser until it was sent or saved: a session that ends, a
// site that is away, a lost network take no words. It is restored for who wrote it alone. What not
// everybody is to read stays in this window, and is gone with it.
const writer = document.body.dataset.user;
const KEPT = "kept:", LONGEST = 200_000, LASTS = 7 * 86_400_000;
const places = new WeakMap();
const waiting = new Map();

const isText = (field) => field.matches("textarea");
const isKept = (field) => field.name && !["hidden", "password", "file", "submit", "button", "reset"].includes(field.type);
const isChosen = (field) => ["checkbox", "radio"].includes(field.type);
const first = (field) => field.options ? [...field.options].find((option) => option.defaultSelected)?.value ?? field.options[0]?.value : isChosen(field) ? field.defaultChecked : field.defaultValue;
const now = (field) => isChosen(field) ? field.checked : field.value;
const fields = (form) => [...form.elements].filter(isKept);
const placeOf = (form) => `${KEPT}${writer}:${location.pathname}#${form.id || form.getAttribute("action") || ""}`;
const storeOf = (form) => "private" in form.dataset ? sessionStorage : localStorage;
const read = (store, place) => { try { return JSON.parse(store.getItem(place)); } catch { return null; } };
const stores = [localStorage, sessionStorage];
const remove = (place) => { for (const store of stores) store.removeItem(place); };

function forget(form) {
  clearTimeout(waiting.get(form));
  waiting.delete(form);
  for (const place of [places.get(form), placeOf(form)]) if (place) storeOf(form).removeItem(place);
  form.querySelector(".kept")?.remove();
}

function keep(form) {
  clearTimeout(waiting.get(form));
  waiting.delete(form);
  const before = places.get(form);
  if (before && before !== placeOf(form)) storeOf(form).removeItem(before);
  places.set(form, placeOf(form));
  const filled = fields(form);
  if (!filled.some((field) => isText(field) && now(field) !== first(field))) return storeOf(form).removeItem(placeOf(form));
  const words = JSON.stringify({ at: Date.now(), filled: filled.map((field) => [field.name, now(field)]) });
  if (words.length <= LONGEST) try { storeOf(form).setItem(placeOf(form), words); } catch { /* the browser has no room */ }
}

function restore(form) {
  const kept = read(storeOf(form), placeOf(form));
  if (!kept || !form.querySelector("textarea")) return;
  const own = fields(form);
  if (own.some((field) => isText(field) && now(field) !== first(field))) return; // it is being written
  let back = false;
  kept.filled.forEach(([name, value], place) => {
    const field = own[place];
    if (field?.name !== name || now(field) === value) return;
    if (isChosen(field)) field.checked = value; else field.value = value;
    back ||= isText(field);
  });
  if (!back) return;
  places.set(form, placeOf(form));
  const note = document.createElement("p");
  note.className = "notice kept";
  note.setAttribute("role", "status");
  note.innerHTML = 'What you had written here is back. <button type="button" class="quiet">Forget it</button>';
  note.querySelector("button").addEventListener("click", () => {
    form.reset();
    forget(form);
    form.querySelector("textarea")?.dispatchEvent(new Event("input", { bubbles: true }));
    forget(form);
  });
  form.prepend(note);
  form.querySelector("textarea").dispatchEvent(new Event("input", { bubbles: true })); // a draft is saved, a preview drawn
}

const restoreIn = (root) => { for (const form of root.querySelectorAll("form[method=post]")) restore(form); };
const keepAll = () => { for (const form of [...waiting.keys()]) keep(form); };

function askToSignIn(isOld) {
  keepAll();
  const here = location.pathname + location.search;
  const door = `/accounts/login/?next=${encodeURIComponent(here)}`;
  if (!writer && !isOld) return location.assign(door); // who has never signed in here has lost no session
  if (document.querySelector("dialog.signed-out")) return;
  const dialog = document.createElement("dialog");
  dialog.className = "signed-out";
  const heading = isOld ? "This page is too old" : "You are signed out";
  const cause = isOld ? "You signed in or out in another window." : "Your session has ended.";
  dialog.innerHTML = `<h2></h2><p></p><p>Nothing was sent or lost: what you have written is kept in this browser, and stands here again afterwards.</p>
    <div class="buttons"><a class="button"></a><button type="button" class="quiet">Stay on this page</button></div>`;
  dialog.querySelector("h2").textContent = heading;
  dialog.querySelector("p").textContent = cause;
  const way = dialog.querySelector("a");
  way.textContent = isOld ? "Load it again" : "Sign in";
  way.href = isOld ? here : door;
  dialog.setAttribute("aria-label", heading);
  dialog.querySelector("button").addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

document.addEventListener("htmx:beforeSwap", (event) => {
  const { xhr } = event.detail;
  const isOut = xhr.status === 401 || new URL(xhr.responseURL || location.href, location.href).pathname === "/accounts/login/";
  const isOld = xhr.status === 403 && /<body\s+class="old-form"/.test(xhr.responseText);
  if (!isOut && !isOld) return;
  event.detail.shouldSwap = event.detail.isError = false;
  event.stopImmediatePropagation();
  askToSignIn(isOld);
});

if (writer) {
  document.addEventListener("input", ({ target: { form } }) => {
    if (form?.method !== "post" || !form.querySelector("textarea")) return;
    clearTimeout(waiting.get(form));
    waiting.set(form, setTimeout(keep, 200, form));
  });
  addEventListener("pagehide", keepAll);
  // What was sent is known to have come through once an answer leads elsewhere.
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (location.pathname === "/accounts/logout/") {
      for (const place of stores.flatMap(Object.keys)) if (place.startsWith(`${KEPT}${writer}:`)) remove(place);
    } else if (!event.defaultPrevented && form.method === "post" && form.querySelector("textarea")) {
      keep(form);
      sessionStorage.setItem("sending", placeOf(form));
    }
  });
  document.addEventListener("htmx:afterRequest", ({ target, detail: { xhr, requestConfig } }) => {
    if (xhr.status !== 200 || requestConfig.verb !== "post" || /class="[^"]*\brefused\b/.test(xhr.responseText)) return;
    const form = target.matches("form") ? target : target.matches("[data-drafts]") && document.querySelector(target.getAttribute("hx-include"));
    if (form) forget(form);
  });
  const sent = sessionStorage.getItem("sending");
  sessionStorage.removeItem("sending");
  const [{ redirectCount = 0, responseStatus = 200 } = {}] = performance.getEntriesByType("navigation");
  if (sent && redirectCount && responseStatus < 400) remove(sent);
  for (const place of Object.keys(localStorage)) {
    if (place.startsWith(KEPT) && !(Date.now() - read(localStorage, place)?.at < LASTS)) localStorage.removeItem(place);
  }
  // Not before htmx listens for words: a draft is saved of what comes back. It says so of the page, too.
  document.addEventListener("htmx:load", ({ detail }) => restoreIn(detail.elt));
} else sessionStorage.removeItem("sending");
