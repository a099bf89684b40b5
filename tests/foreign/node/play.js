// Plays one match of durak to its end, knowing nothing but the .proto files.
//
// Usage: node play.js HOST:PORT PROTO_DIR PRESET
//
// Prints one JSON object: the match id, the last sequence, how many moves were
// made, the fools, and the sequences of all events seen, in order.
'use strict';

const { randomUUID } = require('node:crypto');
const path = require('node:path');
const grpc = require('@grpc/grpc-js');
const protoLoader = require('@grpc/proto-loader');

const [target, protoDir, preset] = process.argv.slice(2);

const files = ['auth_service', 'lobby_service', 'play_service'];
const definition = protoLoader.loadSync(
  files.map((name) => path.join('durak', 'v1', `${name}.proto`)),
  { includeDirs: [protoDir], keepCase: true, enums: String, oneofs: true, arrays: true },
);
const { v1 } = grpc.loadPackageDefinition(definition).durak;
const credentials = grpc.credentials.createInsecure();
const auth = new v1.AuthService(target, credentials);
const lobby = new v1.LobbyService(target, credentials);
const play = new v1.PlayService(target, credentials);

const DEADLINE_MS = 60_000;

function call(client, method, request, metadata = new grpc.Metadata()) {
  return new Promise((resolve, reject) => {
    const deadline = Date.now() + DEADLINE_MS;
    client[method](request, metadata, { deadline }, (error, answer) =>
      error ? reject(error) : resolve(answer));
  });
}

function chosen(group) {
  return { kind: group.kind, target: group.target, cards: group.cards.slice(0, group.min_cards) };
}

async function main() {
  const guest = await call(auth, 'CreateGuest', { name: 'Node' });
  const metadata = new grpc.Metadata();
  metadata.set('authorization', `Bearer ${guest.token}`);
  const made = await call(lobby, 'CreateMatch', { request_id: randomUUID(), preset }, metadata);
  const matchId = made.info.match_id;
  metadata.set('x-match-id', matchId);
  await call(lobby, 'AddBot', { request_id: randomUUID(), match_id: matchId, level: 'BOT_LEVEL_RANDOM' }, metadata);
  await call(lobby, 'StartMatch', { request_id: randomUUID(), match_id: matchId }, metadata);

  const sequences = [];
  let moves = 0;
  let movedAt = 0;
  let fools = null;
  const stream = play.StreamEvents({ match_id: matchId, after_sequence: 0 }, metadata);
  for await (const { update } of stream) {
    for (const event of update.events) {
      sequences.push(event.sequence);
      if (event.kind === 'deal_ended') fools = event.deal_ended.result.fools;
    }
    if (update.is_final) break;
    const [group] = update.view ? update.view.legal_moves : [];
    // A view from before the last move, still on its way then, is of no use.
    if (!group || update.view.sequence < movedAt) continue;
    const request = { request_id: randomUUID(), match_id: matchId, move: chosen(group) };
    try {
      movedAt = (await call(play, 'MakeMove', request, metadata)).sequence;
      moves += 1;
    } catch (error) {
      // The bot moved in between and the view is out of date: the next update has another.
      if (error.code !== grpc.status.FAILED_PRECONDITION) throw error;
    }
  }
  const { view } = await call(play, 'GetView', { match_id: matchId }, metadata);
  console.log(JSON.stringify({ matchId, status: view.status, sequence: view.sequence, moves, fools, sequences }));
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
