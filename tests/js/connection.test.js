import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { beforeEach, describe, mock, test } from "node:test";

import { Connection } from "../../src/skerry/server/static/connection.js";
import { find, openPage } from "./page.js";

/** What the server sends to a page when nothing happens. */
const HEARTBEAT = /event: (\w+)/.exec(readFileSync("src/skerry/server/subscriptions.py", "utf8"))?.[1] ?? "";

/** @type {FakeEventSource[]} all streams that were opened, the newest last */
let streams;

/** The stream that was opened first. */
function first() {
  const [stream] = streams;
  if (!stream) throw new Error("no stream");
  return stream;
}

class FakeEventSource {
  /** @type {(event: { data: string }) => void} */
  onmessage = () => {};
  closed = false;
  /** @type {Map<string, () => void>} */
  #listeners = new Map();

  /** @param {string} address */
  constructor(address) {
    this.address = address;
    streams.push(this);
  }

  /**
   * @param {string} name
   * @param {() => void} listener
   */
  addEventListener(name, listener) {
    this.#listeners.set(name, listener);
  }

  /** @param {string} name */
  send(name) {
    this.#listeners.get(name)?.();
  }

  close() {
    this.closed = true;
  }
}

/** @type {number[]} the steps that the page has received */
let received;

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setInterval", "setTimeout", "Date"] });
  openPage('<div id="connection" hidden></div>');
  streams = [];
  received = [];
  Object.defineProperty(globalThis, "navigator", { value: { onLine: true }, configurable: true });
  Object.assign(globalThis, { EventSource: FakeEventSource, addEventListener: () => {} });
  new Connection({
    address: (since) => `/stream?since=${since}`,
    since: 3,
    banner: find("#connection"),
    receive: ({ steps }) => received.push(...steps.map((step) => step.seq)),
  }).start();
});

/**
 * Let time pass, a second at a time.
 * @param {number} seconds
 * @param {(second: number) => void} [each]
 */
function wait(seconds, each = () => {}) {
  for (let second = 1; second <= seconds; second += 1) {
    mock.timers.tick(1000);
    each(second);
  }
}

describe("a connection", () => {
  test("stays open for as long as there are heartbeats", () => {
    wait(300, (second) => {
      if (second % 15 === 0) first().send(HEARTBEAT);
    });
    assert.equal(streams.length, 1);
  });

  test("is opened anew after a long silence, from the last step that it knows of", () => {
    first().onmessage({ data: JSON.stringify({ seq: 5, steps: [{ seq: 4 }, { seq: 5 }], parts: {} }) });
    wait(60);
    assert.deepEqual(received, [4, 5]);
    assert.deepEqual(
      streams.map(({ address }) => address),
      ["/stream?since=3", "/stream?since=5"],
    );
    assert.equal(first().closed, true);
  });
});
