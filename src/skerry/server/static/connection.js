// The connection to a match: a stream of what happens, which is opened again whenever it is lost.

/**
 * An event as the reader may see it: its kind, and the slugs of what it names.
 * @typedef {{ event: string } & Record<string, string | string[] | undefined>} GameEvent
 */

/**
 * One step of the match.
 * @typedef {object} Step
 * @property {number} seq
 * @property {string[]} words  a sentence for each event
 * @property {GameEvent[]} [events]
 */

/**
 * A message of the stream.
 * @typedef {object} Message
 * @property {number} seq  the last step that it knows of
 * @property {Step[]} steps
 * @property {Record<string, string>} parts  markup by the id of its element
 */

/**
 * @typedef {object} ConnectionOptions
 * @property {(since: number) => string} address  of the stream from a step on
 * @property {number} since  the last step that the page shows
 * @property {HTMLElement} banner  shown while the connection is lost
 * @property {(message: Pick<Message, "steps" | "parts">, wasLost: boolean) => void} receive  called with what is new;
 *     `wasLost` if the connection was lost since there last was news
 */

const RETRY = 2000; // milliseconds until a refused stream is tried again
const SILENCE = 45000; // milliseconds without a sign of life after which a stream is opened anew
const CHECK = 5000; // milliseconds

export class Connection {
  /** @type {EventSource | null} */
  #stream = null;
  #lastSign = 0;
  #wasLost = false;
  #seen;
  #options;

  /** @param {ConnectionOptions} options */
  constructor(options) {
    this.#options = options;
    this.#seen = options.since;
  }

  /** Listen for as long as the page is open. A device that slept may hold a stream that is dead without a sign. */
  start() {
    addEventListener("online", () => this.#open());
    addEventListener("offline", () => {
      this.#stream?.close();
      this.#lose();
    });
    setInterval(() => {
      if (navigator.onLine && Date.now() - this.#lastSign > SILENCE) this.#open();
    }, CHECK);
    this.#open();
  }

  #open() {
    this.#stream?.close();
    const stream = new EventSource(this.#options.address(this.#seen));
    this.#stream = stream;
    this.#lastSign = Date.now();
    stream.onopen = () => {
      this.#options.banner.hidden = true;
    };
    stream.onmessage = (event) => this.#receive(JSON.parse(event.data));
    stream.addEventListener("beat", () => {
      this.#lastSign = Date.now();
    });
    stream.onerror = () => {
      this.#lose();
      if (stream.readyState === EventSource.CLOSED) setTimeout(() => this.#open(), RETRY);
    };
  }

  #lose() {
    this.#wasLost = true;
    this.#options.banner.hidden = false;
  }

  /** @param {Message} message */
  #receive({ seq, steps, parts }) {
    this.#lastSign = Date.now();
    const news = steps.filter((step) => step.seq > this.#seen);
    this.#seen = Math.max(this.#seen, seq);
    const wasLost = this.#wasLost && news.length > 0;
    if (news.length) this.#wasLost = false;
    this.#options.receive({ steps: news, parts }, wasLost);
  }
}
