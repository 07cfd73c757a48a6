// A crowd at boardgame.io's server, through its own client: four players a match, who act as fast as they are told to.
// The same orders and answers as bench/load_generator.py: a line of JSON each.
import { createInterface } from 'node:readline';
import { performance } from 'node:perf_hooks';
import { Client, LobbyClient, SocketIO } from './packages.mjs';
import { Cartagena, legal } from './game.mjs';

const SEATS = ['0', '1', '2', '3'];
const AT_ONCE = 16; // matches that are opened at a time
const PATIENCE = 30000; // ms without news, after which a move counts as lost and is tried again

const url = process.argv[2];
const lobby = new LobbyClient({ server: url });
const matches = [];
const nothing = () => ({ accepted: 0, messages: 0, delays: [], sizes: [], retries: 0, errors: [], rematches: 0 });
let seen = nothing();
let lost = 0;
let flatOut = false;

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const pick = (list) => list[Math.floor(Math.random() * list.length)];

async function openMatch() {
  const { matchID } = await lobby.createMatch('cartagena', { numPlayers: 4, unlisted: true });
  const credentials = [];
  for (const playerID of SEATS) {
    const joined = await lobby.joinMatch('cartagena', matchID, { playerID, playerName: `Guest ${playerID}` });
    credentials.push(joined.playerCredentials);
  }
  return { matchID, credentials };
}

class Match {
  constructor(matchID, credentials) {
    this.begin();
    this.clients = SEATS.map((playerID, seat) => {
      const multiplayer = SocketIO({ server: url, socketOpts: { transports: ['websocket'], forceNew: true } });
      const client = Client({
        game: Cartagena, numPlayers: 4, debug: false, multiplayer, matchID, playerID, credentials: credentials[seat],
      });
      client.subscribe((state) => this.heard(seat, state));
      return client;
    });
  }

  begin() {
    this.told = [-1, -1, -1, -1];
    this.stateID = 0;
    this.posted = null;
    this.over = false;
    this.at = performance.now();
  }

  async connect() {
    this.here = new Promise((resolve) => { this.arrived = resolve; });
    for (const client of this.clients) client.start();
    await this.here;
    for (const client of this.clients) client.transport.socket.on('disconnect', () => { lost += 1; });
  }

  heard(seat, state) {
    if (!state || state._stateID <= this.told[seat] || this.isOld(seat, state)) return;
    const now = performance.now();
    this.told[seat] = state._stateID;
    seen.messages += 1;
    const { posted } = this;
    if (posted?.stateID === state._stateID && posted.seat !== seat) seen.delays.push(now - posted.at);
    if (state._stateID > this.stateID) {
      seen.accepted += state._stateID - this.stateID;
      this.stateID = state._stateID;
      this.at = now;
    }
    if (this.told.every((stateID) => stateID >= 0)) this.arrived();
    if (state.ctx.gameover && this.told.every((stateID) => stateID === this.stateID)) this.again();
    else if (flatOut && state.ctx.currentPlayer === SEATS[seat]) this.act();
  }

  // After a rematch a client shows the end of the match before until it has heard of the new one.
  isOld(seat, state) {
    return this.told[seat] < 0 && state.ctx.gameover !== undefined;
  }

  mayAct(client) {
    const state = client.getState();
    if (this.over || state?._stateID !== this.stateID) return false;
    return !state.ctx.gameover && state.ctx.currentPlayer === client.playerID;
  }

  // The current player moves, if it has heard of the latest state and is not waiting for an answer already.
  act(again = false) {
    const seat = this.clients.findIndex((client) => this.mayAct(client));
    if (seat < 0) return;
    if (this.posted?.stateID === this.stateID + 1) {
      if (!again) return;
      seen.retries += 1;
    }
    const [name, ...given] = pick(legal(this.clients[seat].getState().G, seat));
    this.posted = { stateID: this.stateID + 1, seat, at: performance.now() };
    this.at = this.posted.at;
    this.clients[seat].moves[name](...given);
  }

  async again() {
    this.over = true;
    seen.rematches += 1;
    try {
      const { matchID, credentials } = await openMatch();
      this.begin();
      this.clients.forEach((client, seat) => {
        client.updateCredentials(credentials[seat]);
        client.updateMatchID(matchID);
      });
    } catch (error) {
      seen.errors.push(String(error));
    }
  }
}

// How long the messages are, by one client's.
function weigh(client) {
  client.transport.socket.io.engine.on('data', (data) => {
    if (data.length > 100) seen.sizes.push(data.length);
  });
}

async function come(count) {
  const first = matches.length === 0;
  const one = async () => {
    while (count > 0) {
      count -= 1;
      const { matchID, credentials } = await openMatch();
      const match = new Match(matchID, credentials);
      await match.connect();
      matches.push(match);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  if (first) weigh(matches[0].clients[0]);
}

async function steady(every, end) {
  await Promise.all(matches.map(async (match) => {
    await sleep(Math.random() * every);
    while (performance.now() < end) {
      match.act();
      await sleep(every);
    }
  }));
}

// Each player acts from its own callback; who has heard nothing for long tries again.
async function atOnce(end) {
  flatOut = true;
  for (const match of matches) match.act();
  while (performance.now() < end) {
    await sleep(Math.min(250, Math.max(0, end - performance.now())));
    for (const match of matches) if (performance.now() - match.at > PATIENCE) match.act(true);
  }
  flatOut = false;
}

async function play({ seconds, every }) {
  const end = performance.now() + 1000 * seconds;
  await (every ? steady(1000 * every, end) : atOnce(end));
}

const round = (value, digits) => Number(value.toFixed(digits));
const part = (values, share) => (values.length ? round(values[Math.floor(share * (values.length - 1))], 2) : null);
const mean = (values) => (values.length ? Math.round(values.reduce((a, b) => a + b) / values.length) : null);

async function measured(order) {
  await play({ ...order, seconds: order.warm ?? 3 });
  seen = nothing();
  const cpu = process.cpuUsage();
  const began = performance.now();
  await play(order);
  const took = (performance.now() - began) / 1000;
  const used = process.cpuUsage(cpu);
  const delays = seen.delays.sort((a, b) => a - b);
  return {
    matches: matches.length,
    streams: 4 * matches.length,
    accepted: seen.accepted,
    actions_per_s: round(seen.accepted / took, 1),
    messages_per_s: round(seen.messages / took, 1),
    bytes_per_message: mean(seen.sizes),
    post_to_event_ms: { p50: part(delays, 0.5), p99: part(delays, 0.99), max: part(delays, 1) },
    rematches: seen.rematches,
    errors: seen.errors.length + seen.retries,
    first_errors: seen.errors.slice(0, 3),
    lost_streams: lost,
    load_cpu: round((used.user + used.system) / 1e6 / took, 2),
  };
}

for await (const line of createInterface({ input: process.stdin })) {
  const order = JSON.parse(line);
  if (order.come) await come(order.come);
  console.log(JSON.stringify(order.come ? { ready: matches.length } : await measured(order)));
}
process.exit(0);
