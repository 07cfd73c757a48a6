// boardgame.io's own server with one of its own stores: node server.mjs memory | flatfile FOLDER
import { Server, FlatFile } from './packages.mjs';
import { Cartagena } from './game.mjs';

const [kind, folder] = process.argv.slice(2);
const db = kind === 'flatfile' ? new FlatFile({ dir: folder }) : undefined; // without a database, boardgame.io keeps all in memory
const server = Server({ games: [Cartagena], db, origins: ['http://127.0.0.1'] });
process.on('SIGUSR2', () => globalThis.gc());
const { appServer } = await server.run({ port: 0 });
console.log(`http://127.0.0.1:${appServer.address().port}`);
