// The load of boardgame.io's server, through its own client: four players a match that post actions. It takes the same
// commands and gives the same answers as bench/load_generator.py: a line of JSON each.
import { createInterface } from 'node:readline';
import { performance } from 'node:perf_hooks';
import { Client, LobbyClient, SocketIO } from './packages.mjs';
import { Cartagena, legal } from './game.mjs';

const SEATS = ['0', '1', '2', '3'];
const CONCURRENT_OPENINGS = 16; // matches that are opened at the same time
const NEWS_TIMEOUT = 30000; // ms without an update after which a move counts as lost and is made again
const SMALL_MESSAGE = 100; // bytes; smaller ones are heartbeats

const url = process.argv[2];
const lobby = new LobbyClient({ server: url });
const matches = [];
const newCounters = () => ({ accepted: 0, messages: 0, delays: [], sizes: [], retries: 0, errors: [], rematches: 0 });
let counters = newCounters();
let lostStreams = 0;
let continuous = false;

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
    this.reset();
    this.clients = SEATS.map((playerID, seat) => {
      const multiplayer = SocketIO({ server: url, socketOpts: { transports: ['websocket'], forceNew: true } });
      const client = Client({
        game: Cartagena, numPlayers: 4, debug: false, multiplayer, matchID, playerID, credentials: credentials[seat],
      });
      client.subscribe((state) => this.receive(seat, state));
      return client;
    });
  }

  reset() {
    this.seen = [-1, -1, -1, -1]; // the latest state that each seat has received
    this.stateID = 0;
    this.posted = null;
    this.over = false;
    this.lastNews = performance.now();
  }

  async connect() {
    const connected = new Promise((resolve) => { this.onConnected = resolve; });
    for (const client of this.clients) client.start();
    await connected;
    for (const client of this.clients) client.transport.socket.on('disconnect', () => { lostStreams += 1; });
  }

  receive(seat, state) {
    if (!state || state._stateID <= this.seen[seat] || this.isOfEndedMatch(seat, state)) return;
    const now = performance.now();
    this.seen[seat] = state._stateID;
    counters.messages += 1;
    const { posted } = this;
    if (posted?.stateID === state._stateID && posted.seat !== seat) counters.delays.push(now - posted.time);
    if (state._stateID > this.stateID) {
      counters.accepted += state._stateID - this.stateID;
      this.stateID = state._stateID;
      this.lastNews = now;
    }
    if (this.seen.every((stateID) => stateID >= 0)) this.onConnected();
    if (state.ctx.gameover && this.seen.every((stateID) => stateID === this.stateID)) this.rematch();
    else if (continuous && state.ctx.currentPlayer === SEATS[seat]) this.act();
  }

  // After a rematch a client shows the end of the match before until it has received the new one.
  isOfEndedMatch(seat, state) {
    return this.seen[seat] < 0 && state.ctx.gameover !== undefined;
  }

  canAct(client) {
    const state = client.getState();
    if (this.over || state?._stateID !== this.stateID) return false;
    return !state.ctx.gameover && state.ctx.currentPlayer === client.playerID;
  }

  // The current player moves, if it has received the latest state and is not waiting for an answer already.
  act(retry = false) {
    const seat = this.clients.findIndex((client) => this.canAct(client));
    if (seat < 0) return;
    if (this.posted?.stateID === this.stateID + 1) {
      if (!retry) return;
      counters.retries += 1;
    }
    const [name, ...given] = pick(legal(this.clients[seat].getState().G, seat));
    this.posted = { stateID: this.stateID + 1, seat, time: performance.now() };
    this.lastNews = this.posted.time;
    this.clients[seat].moves[name](...given);
  }

  async rematch() {
    this.over = true;
    counters.rematches += 1;
    try {
      const { matchID, credentials } = await openMatch();
      this.reset();
      this.clients.forEach((client, seat) => {
        client.updateCredentials(credentials[seat]);
        client.updateMatchID(matchID);
      });
    } catch (error) {
      counters.errors.push(String(error));
    }
  }
}

// Record the sizes of the messages that one client receives.
function recordSizes(client) {
  client.transport.socket.io.engine.on('data', (data) => {
    if (data.length > SMALL_MESSAGE) counters.sizes.push(data.length);
  });
}

async function openMatches(count) {
  const first = matches.length === 0;
  let left = count;
  const openSome = async () => {
    while (left > 0) {
      left -= 1;
      const { matchID, credentials } = await openMatch();
      const match = new Match(matchID, credentials);
      await match.connect();
      matches.push(match);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_OPENINGS }, openSome));
  if (first) recordSizes(matches[0].clients[0]);
}

async function actRegularly(every, end) {
  await Promise.all(matches.map(async (match) => {
    await sleep(Math.random() * every);
    while (performance.now() < end) {
      match.act();
      await sleep(every);
    }
  }));
}

// Each player acts as soon as it receives an update; a match without one for long is started again.
async function actContinuously(end) {
  continuous = true;
  for (const match of matches) match.act();
  while (performance.now() < end) {
    await sleep(Math.min(250, Math.max(0, end - performance.now())));
    for (const match of matches) if (performance.now() - match.lastNews > NEWS_TIMEOUT) match.act(true);
  }
  continuous = false;
}

async function play({ seconds, every }) {
  const end = performance.now() + 1000 * seconds;
  await (every ? actRegularly(1000 * every, end) : actContinuously(end));
}

const round = (value, digits) => Number(value.toFixed(digits));
const quantile = (sorted, share) => (sorted.length ? round(sorted[Math.floor(share * (sorted.length - 1))], 2) : null);
const mean = (values) => (values.length ? Math.round(values.reduce((a, b) => a + b) / values.length) : null);

async function measure(command) {
  await play({ ...command, seconds: command.warm ?? 3 });
  counters = newCounters();
  const cpu = process.cpuUsage();
  const began = performance.now();
  await play(command);
  const took = (performance.now() - began) / 1000;
  const used = process.cpuUsage(cpu);
  const delays = counters.delays.sort((a, b) => a - b);
  return {
    matches: matches.length,
    streams: 4 * matches.length,
    accepted: counters.accepted,
    actions_per_s: round(counters.accepted / took, 1),
    messages_per_s: round(counters.messages / took, 1),
    bytes_per_message: mean(counters.sizes),
    post_to_event_ms: { p50: quantile(delays, 0.5), p99: quantile(delays, 0.99), max: quantile(delays, 1) },
    rematches: counters.rematches,
    errors: counters.errors.length + counters.retries,
    first_errors: counters.errors.slice(0, 3),
    lost_streams: lostStreams,
    load_cpu: round((used.user + used.system) / 1e6 / took, 2),
  };
}

for await (const line of createInterface({ input: process.stdin })) {
  const command = JSON.parse(line);
  if (command.come) await openMatches(command.come);
  console.log(JSON.stringify(command.come ? { ready: matches.length } : await measure(command)));
}
process.exit(0);
