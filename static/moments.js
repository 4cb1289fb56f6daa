// Each moment in the reader's own time. Where there is no JavaScript it stands there in UTC.
const own = (at, style = { dateStyle: "medium", timeStyle: "short" }) => new Date(at).toLocaleString(undefined, style);

// The wall's moment of one in the game, by the clock of its game or of the page; nothing where time stands still, or from before that clock was set.
function wallOf(time) {
  const { game, wall, rate } = (time.closest("[data-rate]") ?? document.querySelector("#clock"))?.dataset ?? {};
  const since = Date.parse(time.dateTime) - Date.parse(game);
  return Number(rate) && since >= 0 ? Date.parse(wall) + since / Number(rate) : null;
}

function tellLocalTime(root) {
  for (const time of root.querySelectorAll("time[data-game]")) {
    const wall = wallOf(time);
    if (wall === null || time.dataset.told) continue;
    time.dataset.told = "yes";
    const isAlike = Math.abs(wall - Date.parse(time.dateTime)) < 60_000 && !new Date(wall).getTimezoneOffset();
    if (isAlike) continue;
    time.title = `your time: ${own(wall)}`;
    if (wall < Date.now() || time.closest(".clock")) continue;
    const isToday = new Date(wall).toDateString() === new Date().toDateString();
    const words = document.createElement("small");
    words.className = "own-time";
    words.textContent = ` (${own(wall, isToday ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" })} your time)`;
    const beside = time.nextSibling?.nodeValue?.match(/^\s*in the game/);
    if (beside) time.nextSibling.splitText(beside[0].length).before(words);
    else time.append(words);
  }
  for (const time of root.querySelectorAll("time[data-own]")) {
    time.textContent = `${own(time.dateTime)} your time`;
  }
  for (const time of root.querySelectorAll("time[data-wall], time[data-until]")) {
    if (time.dataset.told) continue;
    time.dataset.told = "yes";
    time.title = [time.title, `your time: ${own(time.dataset.wall || time.dateTime)}`].filter(Boolean).join(" · ");
  }
}

tellLocalTime(document);
