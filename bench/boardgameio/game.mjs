// Cartagena's first version as a game of boardgame.io: 36 spaces, six pirates each, hidden hands, up to three actions
// a turn. The cards of other players and the order of the deck never leave the server.
import { INVALID_MOVE } from './packages.mjs';

const SYMBOLS = ['pistol', 'parrot', 'rum', 'hook', 'chest', 'lantern'];
const SPACES = 36;
const PRISON = 0;
const SLOOP = SPACES + 1;
const PIRATES = 6;
const HAND_SIZE = 6;
const CARDS_PER_SYMBOL = 17;

// The number of pirates on each space.
function countPirates(G) {
  const counts = new Array(SLOOP + 1).fill(0);
  for (const player of G.players) for (const place of player.pirates) counts[place] += 1;
  return counts;
}

// The next empty space with a symbol.
function nextEmpty(G, counts, symbol, from) {
  for (let place = from + 1; place < SLOOP; place += 1) {
    if (G.path[place - 1] === symbol && counts[place] === 0) return place;
  }
  return SLOOP;
}

// The nearest space behind with one or two pirates.
function spaceBehind(counts, from) {
  for (let place = from - 1; place > PRISON; place -= 1) {
    if (counts[place] === 1 || counts[place] === 2) return place;
  }
  return PRISON;
}

// The legal moves of a seat as [move, ...arguments], from what the seat itself sees.
export function legal(G, seat) {
  const me = G.players[seat];
  const counts = countPirates(G);
  const places = [...new Set(me.pirates)];
  const found = G.left < 3 ? [['end']] : [];
  if (G.left > 0) {
    for (const symbol of new Set(me.hand)) {
      for (const from of places) if (from !== SLOOP) found.push(['play', symbol, from]);
    }
    for (const from of places) if (from !== PRISON && spaceBehind(counts, from) !== PRISON) found.push(['back', from]);
  }
  return found.length ? found : [['end']];
}

const isLegal = (G, seat, ...move) => legal(G, seat).some((one) => one.join() === move.join());

function draw(G, random) {
  if (G.deck.length === 0) [G.deck, G.discards] = [random.Shuffle(G.discards), []];
  return G.deck.pop();
}

function movePirate(me, from, to) {
  me.pirates[me.pirates.indexOf(from)] = to;
  me.pirates.sort((a, b) => a - b);
}

const moves = {
  play({ G, playerID }, symbol, from) {
    if (!isLegal(G, playerID, 'play', symbol, from)) return INVALID_MOVE;
    const me = G.players[playerID];
    movePirate(me, from, nextEmpty(G, countPirates(G), symbol, from));
    G.discards.push(...me.hand.splice(me.hand.indexOf(symbol), 1));
    G.left -= 1;
  },
  back({ G, playerID, random }, from) {
    if (!isLegal(G, playerID, 'back', from)) return INVALID_MOVE;
    const me = G.players[playerID];
    const counts = countPirates(G);
    const to = spaceBehind(counts, from);
    movePirate(me, from, to);
    const cards = Math.min(counts[to], G.deck.length + G.discards.length);
    for (let drawn = 0; drawn < cards; drawn += 1) me.hand.push(draw(G, random));
    G.left -= 1;
  },
  end({ G, playerID, events }) {
    if (!isLegal(G, playerID, 'end')) return INVALID_MOVE;
    events.endTurn();
  },
};

// Moves depend on hidden cards, so only the server plays them.
const onServer = Object.fromEntries(Object.entries(moves).map(([name, move]) => [name, { move, client: false }]));

export const Cartagena = {
  name: 'cartagena',
  minPlayers: 4,
  maxPlayers: 4,
  setup({ ctx, random }) {
    const path = Array.from({ length: 6 }, () => random.Shuffle(SYMBOLS)).flat();
    const deck = random.Shuffle(Array.from({ length: CARDS_PER_SYMBOL }, () => SYMBOLS).flat());
    const player = () => ({ pirates: Array(PIRATES).fill(PRISON), hand: deck.splice(-HAND_SIZE) });
    const players = Array.from({ length: ctx.numPlayers }, player);
    return { path, deck, discards: [], players, left: 3 };
  },
  playerView({ G, playerID }) {
    const players = G.players.map((player, seat) =>
      String(seat) === playerID ? player : { pirates: player.pirates, hand: player.hand.length });
    return { ...G, deck: G.deck.length, players };
  },
  turn: {
    onBegin({ G }) {
      G.left = 3;
    },
  },
  moves: onServer,
  endIf({ G }) {
    const winner = G.players.findIndex((player) => player.pirates.every((place) => place === SLOOP));
    return winner < 0 ? undefined : { winner };
  },
};
