// node serve.js PORT LOBBY: a server of the game at 127.0.0.1, its matches in PostgreSQL.
const { Server } = require("boardgame.io/server");
const { PostgresStore } = require("bgio-postgres");
const { game } = require("./game");

const [port, apiPort] = process.argv.slice(2).map(Number);
const db = new PostgresStore({ ...JSON.parse(process.env.STORE), dialect: "postgres", logging: false });
const server = Server({ games: [game], db, origins: [/.*/] });
server.run({ port, lobbyConfig: { apiPort } }, () => console.log("listens"));
