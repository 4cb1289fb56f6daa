// node play.js PORT LOBBY: for each number on a line of stdin so many moves are made, one after the other, in one
// match; "match" begins another. Each answer is one line: the milliseconds of every move, as JSON.
const { Client } = require("boardgame.io/client");
const { SocketIO } = require("boardgame.io/multiplayer");
const { createInterface } = require("node:readline");
const { game } = require("./game");

const [port, lobby] = process.argv.slice(2).map(Number);
let client = null;

async function ask(path, body) {
  const answer = await fetch(`http://127.0.0.1:${lobby}/games/bets/${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
}

function until(holds) {
  return new Promise((done) => {
    const leave = client.subscribe((state) => {
      if (state && holds(state)) {
        queueMicrotask(() => leave());
        done();
      }
    });
  });
}

async function begin() {
  if (client) client.stop();
  const { matchID } = await ask("create", { numPlayers: 2 });
  const { playerCredentials: credentials } = await ask(`${matchID}/join`, { playerID: "0", playerName: "Ann" });
  const multiplayer = SocketIO({ server: `http://127.0.0.1:${port}`, socketOpts: { transports: ["websocket"] } });
  client = Client({ game, multiplayer, matchID, playerID: "0", credentials, debug: false });
  client.start();
  await until((state) => state.G !== undefined);
  return [];
}

async function play(moves) {
  const took = [];
  for (let made = 0; made < moves; made += 1) {
    const since = performance.now();
    const kept = client.getState()._stateID + 1;
    client.moves.bet("Alexia");
    await until((state) => state._stateID >= kept);
    took.push(performance.now() - since);
  }
  return took;
}

(async () => {
  for await (const line of createInterface({ input: process.stdin })) {
    console.log(JSON.stringify(await (line === "match" ? begin() : play(Number(line)))));
  }
  process.exit(0);
})();
