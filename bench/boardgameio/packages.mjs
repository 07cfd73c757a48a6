// boardgame.io is not part of this repository: it is loaded from the folder that bench/servers.py installs it in.
import { createRequire } from 'node:module';

const require = createRequire(`${process.env.SKERRY_BENCH_PACKAGES}/`);

export const { Server, FlatFile } = require('boardgame.io/server');
export const { Client, LobbyClient } = require('boardgame.io/client');
export const { SocketIO } = require('boardgame.io/multiplayer');
export const { INVALID_MOVE } = require('boardgame.io/core');
