// Checks the exported file of a game: written from docs/record-format.md alone.
// Runs wherever JavaScript does; `verify` returns what it counted and throws at the first difference.

const K = new Uint32Array(64);
const START = new Uint32Array(8);
for (let found = 0, n = 2; found < 64; n++) {
  let prime = true;
  for (let d = 2; d * d <= n; d++) prime &&= n % d !== 0;
  if (!prime) continue;
  const fraction = (root) => Math.floor((root - Math.floor(root)) * 2 ** 32);
  if (found < 8) START[found] = fraction(Math.sqrt(n));
  K[found++] = fraction(Math.cbrt(n));
}
const encode = (text) => new TextEncoder().encode(text);
const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const unhex = (text) => Uint8Array.from(text.match(/../g), (pair) => parseInt(pair, 16));
const joined = (a, b) => {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
};

export function sha256(bytes) {
  const padded = new Uint8Array(((bytes.length + 72) >> 6) << 6);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, bytes.length << 3);
  const state = START.slice();
  const w = new Uint32Array(64);
  const right = (x, n) => (x >>> n) | (x << (32 - n));
  for (let block = 0; block < padded.length; block += 64) {
    for (let i = 0; i < 16; i++) w[i] = view.getUint32(block + 4 * i);
    for (let i = 16; i < 64; i++) {
      const [x, y] = [w[i - 15], w[i - 2]];
      const s0 = right(x, 7) ^ right(x, 18) ^ (x >>> 3);
      const s1 = right(y, 17) ^ right(y, 19) ^ (y >>> 10);
      w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i++) {
      const s1 = right(e, 6) ^ right(e, 11) ^ right(e, 25);
      const s0 = right(a, 2) ^ right(a, 13) ^ right(a, 22);
      const one = (h + s1 + ((e & f) ^ (~e & g)) + K[i] + w[i]) | 0;
      const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] += word));
  }
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => digest.setUint32(4 * i, word));
  return new Uint8Array(digest.buffer);
}

function hmac(key, message) {
  const pad = (byte) => Uint8Array.from({ length: 64 }, (_, i) => (key[i] ?? 0) ^ byte);
  return sha256(joined(pad(0x5c), sha256(joined(pad(0x36), encode(message)))));
}

export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical)}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const pair = (key) => `${JSON.stringify(key)}:${canonical(value[key])}`;
  return `{${Object.keys(value).sort().map(pair)}}`;
}

export const hash = (value) => hex(sha256(encode(canonical(value))));
export const beforeFirst = (identity) => hex(sha256(encode(`nomic record of ${identity}`)));
const beforeBook = (book, identity) =>
  hex(sha256(encode(`nomic sealed book ${book} of ${identity}`)));

export function thrown(seed, game, [purpose, number], { seat, count, after }, options) {
  const all = 2n ** 256n;
  const n = BigInt(options);
  const words = [game, purpose, number, seat, count, after];
  for (let attempt = 0; ; attempt++) {
    const found = BigInt(`0x${hex(hmac(seed, [...words, attempt].join("\n")))}`);
    if (found < all - (all % n)) return Number(found % n);
  }
}

function must(holds, difference) {
  if (!holds) throw new Error(difference);
}

const CONTENT = ["recorded_at", "name", "actor", "inputs", "outcome", "text", "rule", "effects"];
const TAGS = Object.fromEntries(["anchor", "note", "part", "hidden"].map((t) => [`record.${t}`, t]));
const only = (fields, entry) => Object.fromEntries(fields.map((field) => [field, entry[field]]));

function publicHash(game, entry) {
  const { seq, at, kind, name, prev_hash } = entry;
  const content = hash(only([...CONTENT, "anchors", "saw", "nonce"], entry));
  return hash({ game, seq, at, kind, subgame: name.split(".")[0], prev_hash, content });
}

const SEALED_CONTENT = [...CONTENT, "after", "at", "saw", "nonce", "salt"];
const sealedContent = (entry) => hash(only(SEALED_CONTENT, entry));

const tagged = (entry) => ({ ...entry, tag: TAGS[entry.name] ?? "act" });

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

function checkMoments(all) {
  let last = -Infinity;
  for (const { seq, book = "the record", at, recorded_at } of all) {
    const which = `entry ${seq} of ${book}`;
    must(MOMENT.test(at) && MOMENT.test(recorded_at), `${which} has a moment written otherwise`);
    const moment = Date.parse(recorded_at);
    must(moment >= last - 86_400_000, `${which} was recorded before the one before`);
    last = Math.max(last, moment);
  }
}

function checkKeys(line) {
  // An object of JSON has each key once, which JSON.parse does not say.
  const open = [];
  for (const [word] of line.matchAll(/"(?:[^"\\]|\\.)*"(?:\s*:)?|[{}]/g))
    if (word === "{") open.push(new Set());
    else if (word === "}") open.pop();
    else if (word.endsWith(":")) {
      const key = JSON.parse(word.slice(0, -1));
      must(!open.at(-1).has(key), `${key} stands in an object twice`);
      open.at(-1).add(key);
    }
  return JSON.parse(line);
}

function checkEntries(game, entries) {
  let [head, at] = [beforeFirst(game), ""];
  entries.forEach((entry, i) => {
    const which = `entry ${entry.seq}`;
    must(entry.seq === i + 1, `${which} is number ${i + 1}`);
    must(entry.prev_hash === head, `${which} does not follow the one before`);
    must(entry.hash === publicHash(game, entry), `${which} is not what its hash says`);
    must(entry.at >= at, `${which} is earlier than the one before`);
    must(["action", "event", "officer", "system"].includes(entry.kind), `${which} is of no kind`);
    checkSaw(which, entry, entries, i);
    [head, at] = [entry.hash, entry.at];
  });
}

function checkSaw(which, { saw, key, nonce }, entries, last) {
  if (key && nonce)
    must(hex(sha256(encode(key.slice(key.indexOf("/") + 1)))) === nonce, `${which}: another key`);
  if (saw === null) return;
  const whole = Array.isArray(saw) && saw.length === 2 && Number.isInteger(saw[0]);
  const seen = whole && saw[0] <= last && entries[saw[0] - 1]?.hash === saw[1];
  must(seen, `${which} was made on another history`);
}

function checkBooks(game, master, sealed, entries) {
  const books = new Map();
  for (const entry of sealed) {
    const { book, number, tag } = entry;
    const which = `${book} ${number}`;
    if (!books.has(book)) books.set(book, [{ hash: beforeBook(book, game), after: 0, at: "" }]);
    const chain = books.get(book);
    const before = chain.at(-1);
    must(number === chain.length, `${which} is number ${chain.length}`);
    must(entry.prev_hash === before.hash, `${which} does not follow the one before`);
    const placed = entry.after > before.after || entry.after === before.after;
    must(placed && entry.at >= before.at, `${which} is out of order`);
    checkSaw(which, entry, entries, entry.after);
    const salt = hex(hmac(master, `sealed\n${book} ${number}`));
    must(entry.salt === salt, `${which} has another salt`);
    const header = { game, book, number, tag, prev_hash: before.hash };
    must(entry.hash === hash({ ...header, content: sealedContent(entry) }), `${which} was changed`);
    chain.push(entry);
  }
  return books;
}

function checkAnchors(entries, books) {
  const opened = new Set();
  const found = new Set();
  for (const { seq, kind, name, anchors, outcome } of entries) {
    for (const [book, head] of Object.entries(anchors)) {
      const anchor = books.get(book)?.find((entry) => entry.hash === head);
      must(anchor?.tag === "anchor" && anchor.after === seq - 1, `entry ${seq} anchors no ${book}`);
      found.add(anchor);
    }
    const subgame = name.split(".")[0];
    const due = [...books].filter(
      ([book, [, first]]) =>
        book.startsWith(`${subgame}/`) &&
        first.tag === "anchor" &&
        first.after < seq &&
        !opened.has(book),
    );
    for (const book of kind === "event" ? [subgame, ...due.map(([book]) => book)] : [])
      must(book in anchors, `entry ${seq} does not anchor ${book}`);
    for (const [book] of [...(outcome.opened ?? []), ...(outcome.closed ?? [])]) opened.add(book);
  }
  for (const [book, [, ...chain]] of books)
    for (const entry of chain)
      must(entry.tag !== "anchor" || found.has(entry), `${book} ${entry.number} anchors nothing`);
}

function checkParts(entries, books) {
  const parts = new Map();
  for (const [, [, ...chain]] of books)
    for (const entry of chain) if (entry.tag === "part") parts.set(sealedContent(entry), entry);
  for (const { seq, outcome } of entries) {
    if (!("part" in outcome)) continue;
    must(parts.get(outcome.part)?.after === seq - 1, `entry ${seq} has another private side`);
    parts.delete(outcome.part);
  }
  must(parts.size === 0, "a private side belongs to no entry");
}

function checkOpenings(entries, books) {
  const accounted = new Map();
  let acts = 0;
  for (const { seq, outcome } of entries) {
    const told = new Map();
    const of = (book) => told.get(book) ?? told.set(book, []).get(book);
    for (const [book, number, hash] of outcome.opened ?? []) of(book).push({ number, hash });
    for (const [book, number, tag, content] of outcome.closed ?? [])
      of(book).push({ number, tag, content });
    for (const [book, numbers] of told) {
      numbers.sort((a, b) => a.number - b.number);
      for (const { number, hash, tag, content } of numbers) {
        const which = `${book} ${number} in entry ${seq}`;
        const entry = books.get(book)?.[number];
        must(number === (accounted.get(book) ?? 0) + 1, `${which}: one is left out before`);
        must(entry && entry.after < seq, `${which}: there is none`);
        if (hash) must(entry.hash === hash, `${which}: another was sealed`);
        else must(entry.tag === tag && sealedContent(entry) === content, `${which}: not the closed`);
        must(hash || tag !== "act", `${which}: an act stays closed`);
        must(entry.opened_in === (hash ? seq : null), `${which}: it is not opened there`);
        accounted.set(book, number);
        acts += hash && entry.tag === "act" ? 1 : 0;
      }
      const next = books.get(book)[accounted.get(book) + 1];
      const mayWait = !book.includes("/") && next?.tag === "anchor" && next.after === seq - 1;
      must(!next || mayWait || next.after >= seq, `entry ${seq} leaves out the end of ${book}`);
    }
  }
  for (const [book, [, ...chain]] of books)
    for (const { number, opened_in } of chain)
      must(opened_in === null || number <= accounted.get(book), `${book} ${number}: not opened`);
  return acts;
}

function inOrder(entries, sealed) {
  // A sealed entry comes before the public entry number `after` + 1.
  const all = [];
  let next = 0;
  for (const entry of entries) {
    while (sealed[next]?.after < entry.seq) all.push(sealed[next++]);
    all.push(entry);
  }
  return [...all, ...sealed.slice(next)];
}

function seedOf(master, [purpose, isPrivate, number]) {
  const words = isPrivate ? ["private seed", number] : ["seed", number];
  return hmac(master, [...words, ...(isPrivate && purpose ? [purpose] : [])].join("\n"));
}

function checkRoll(game, roll, period, entry, actor, acts, seats) {
  const which = `the roll ${roll.roll} of ${entry.seq}`;
  must(roll.seat === seats.get(actor ?? null), `${which} has another seat`);
  must(period, `${which} is of no open period`);
  must(roll.count === period.rolls, `${which} is number ${period.rolls}`);
  period.rolls++;
  const own = roll.seat !== 0 && actor === acts.by;
  must(roll.after === (own ? acts.ofAnother : acts.last), `${which} comes after another act`);
  must(entry.kind !== "event" || roll.seat === 0, `${which} of an event has a seat`);
  const [purpose, , number] = roll.period;
  const among = roll.options.length ?? roll.options; // a number stands for those from 1 to it
  const value = thrown(period.seed, game, [purpose, number], roll, among);
  must(value === roll.value, `${which} came to ${value}`);
}

function actorOf(entry, entries, sealed) {
  if (!entry.book) return entry.actor;
  const { of } = entry.outcome;
  if (!of) return entries[entry.after].actor;
  return sealed.find(({ book, number }) => book === entry.book && number === of).actor;
}

function seatsOf(entries) {
  const seats = new Map([[null, 0]]);
  for (const { name, actor, outcome } of entries)
    if (["games.join", "games.add_bot"].includes(name)) {
      const who = outcome.bot ?? actor;
      if (!seats.has(who)) seats.set(who, seats.size);
    }
  return seats;
}

function checkEffects(game, master, entries, sealed) {
  const periods = new Map();
  const versions = new Set(); // that any rule has come to
  const held = new Map();
  const first = beforeFirst(game);
  const seats = seatsOf(entries);
  let [acts, rolls] = [{ by: null, last: first, ofAnother: first }, 0];
  for (const entry of inOrder(entries, sealed)) {
    for (const effect of entry.effects) {
      const period = effect.period && canonical(effect.period);
      if (effect.moves) {
        const sums = new Map();
        for (const [holder, asset, told] of effect.moves) {
          must(Number.isSafeInteger(told) || /^-?[1-9]\d*$/.test(told), `${told} is no amount`);
          const amount = BigInt(told);
          sums.set(asset, (sums.get(asset) ?? 0n) + amount);
          const whose = canonical([holder, asset]);
          held.set(whose, (held.get(whose) ?? 0n) + amount);
        }
        must(
          [...sums.values()].every((sum) => sum === 0n),
          `a transfer of entry ${entry.seq} does not balance`,
        );
      } else if ("roll" in effect) {
        checkRoll(game, effect, periods.get(period), entry, actorOf(entry, entries, sealed), acts, seats);
        rolls++;
      } else if ("commitment" in effect) {
        const [purpose, isPrivate, number] = effect.period;
        const before = number === 1 || periods.has(canonical([purpose, isPrivate, number - 1]));
        must(!periods.has(period) && before, `the period ${period} is not the next`);
        const seed = seedOf(master, effect.period);
        must(hex(sha256(seed)) === effect.commitment, `the period ${period} has another seed`);
        periods.set(period, { seed, rolls: 0 });
      } else if ("seed" in effect) {
        must(periods.has(period), `the period ${period} was never opened`);
        must(hex(periods.get(period).seed) === effect.seed, `the period ${period} has two seeds`);
        periods.set(period, null);
      } else if ("version" in effect) {
        const { rule, version } = effect;
        const follows = version === 1 || versions.has(version - 1);
        must(Number.isInteger(version) && follows, `a version of ${rule} is missing`);
        versions.add(version);
      } else must("switch" in effect || "vote" in effect, `entry ${entry.seq} has another effect`);
    }
    if (entry.seq && entry.actor && ["action", "officer"].includes(entry.kind) && !entry.book) {
      const ofAnother = acts.by && acts.by !== entry.actor ? acts.last : acts.ofAnother;
      acts = { by: entry.actor, last: entry.hash, ofAnother };
    }
  }
  return { rolls, periods: periods.size, held: held.size };
}

/** What the file of a game holds; throws an Error that says what differs first. */
export function verify(text, heads = []) {
  const lines = text.trimEnd().split("\n").map(checkKeys);
  const [file, end] = [lines[0], lines.at(-1)];
  must(end.end, "the file has no last line");
  const entries = lines.filter((line) => line.entry).map((line) => line.entry);
  const sealed = lines.filter((line) => line.sealed).map((line) => tagged(line.sealed));
  must(entries.length + sealed.length === lines.length - 2, "the file has other lines");
  const { identity, master: committed, format } = entries[0].inputs;
  must(format === 1 && file.format === "nomic record 1", "the file is of another format");
  must(file.identity === identity, "the file is of another game");
  const master = unhex(file.master);
  must(hex(sha256(master)) === committed, "the file has another master");
  checkEntries(identity, entries);
  checkMoments(inOrder(entries, sealed));
  const books = checkBooks(identity, master, sealed, entries);
  checkAnchors(entries, books);
  checkParts(entries, books);
  const acts = checkOpenings(entries, books);
  const counted = checkEffects(identity, master, entries, sealed);
  const whole = [...books].map(([book, chain]) => [book, [chain.length - 1, chain.at(-1).hash]]);
  const ends = { entries: entries.length, hash: entries.at(-1).hash };
  const told = canonical({ ...ends, sealed: Object.fromEntries(whole) });
  must(canonical(end.end) === told, "the last line tells of another file");
  for (const head of heads)
    must(entries.some(({ hash }) => hash === head), `${head} is of another history`);
  return { entries: entries.length, sealed: sealed.length, acts, ...counted };
}
