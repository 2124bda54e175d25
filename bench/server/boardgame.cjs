// Tower Defense Duel for boardgame.io, its state in memory: `node boardgame.cjs PORT`.
const { Server } = require("boardgame.io/server");
const { INVALID_MOVE } = require("boardgame.io/core");

const GOAL = 15;
const ATTACK = 3;
const opponent = (ctx) => 1 - Number(ctx.currentPlayer);

const TowerDefenseDuel = {
  name: "tower",
  setup: () => ({ towers: [0, 0] }),
  turn: { minMoves: 1, maxMoves: 1 },
  disableUndo: true, // or its state grows with the game
  moves: {
    build: ({ G, ctx }, units) => {
      if (![1, 2, 4].includes(units)) return INVALID_MOVE;
      G.towers[ctx.currentPlayer] += units;
    },
    attack: ({ G, ctx }) => {
      if (G.towers[opponent(ctx)] < ATTACK) return INVALID_MOVE;
      G.towers[opponent(ctx)] -= ATTACK;
    },
  },
  endIf: ({ G }) => {
    for (const seat of [0, 1]) {
      if (G.towers[seat] === GOAL) return { winner: seat };
      if (G.towers[seat] > GOAL) return { winner: 1 - seat };
    }
  },
};

Server({ games: [TowerDefenseDuel], origins: ["*"] }).run(Number(process.argv[2]));
