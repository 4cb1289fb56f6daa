// A game of one move that throws a die, as a bet of ours is one act that is recorded and paid.
exports.game = {
  name: "bets",
  setup: () => ({ bets: 0, last: null }),
  moves: {
    bet: {
      move: ({ G, random }, horse) => {
        G.bets += 1;
        G.last = { horse, die: random.D6() };
      },
      client: false, // seen when the server has kept it
    },
  },
};
