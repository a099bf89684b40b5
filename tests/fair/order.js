// The order of a deck from its seeds (docs/fair-deals.md), with nothing but Node itself.
// Reads vectors from the file named, prints what it computes of each as JSON.
'use strict';
const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');

const sha256 = (...parts) => createHash('sha256').update(Buffer.concat(parts)).digest();
const LOWEST = { 24: 7, 36: 4, 52: 0, 54: 0 };

function u32(number) {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(number);
  return bytes;
}

function u64(number) {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(number));
  return bytes;
}

const framed = (bytes) => Buffer.concat([u32(bytes.length), bytes]);

function keyOf({ match_id: matchId, shuffle, server_seed: serverSeed, seeds }) {
  const added = Object.keys(seeds).map(Number).sort((a, b) => a - b)
    .flatMap((seat) => [u32(seat), framed(Buffer.from(seeds[seat], 'hex'))]);
  return sha256(
    framed(Buffer.from('durak.v1/shuffle')), framed(Buffer.from(matchId, 'utf8')), u32(shuffle),
    framed(Buffer.from(serverSeed, 'hex')), u32(Object.keys(seeds).length), ...added);
}

function* stream(key) {
  for (let block = 0; ; block += 1) yield* sha256(key, u64(block));
}

function order(deck, key) {
  const cards = [...'SHDC'].flatMap((suit) => [...'23456789TJQKA'.slice(LOWEST[deck])].map((rank) => rank + suit));
  if (deck === 54) cards.push('JKR', 'JKB');
  const bytes = stream(key);
  for (let i = deck - 1; i > 0; i -= 1) {
    let byte = bytes.next().value;
    while (byte >= 256 - (256 % (i + 1))) byte = bytes.next().value;
    const j = byte % (i + 1);
    [cards[i], cards[j]] = [cards[j], cards[i]];
  }
  return cards.join(' ');
}

const { vectors } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
console.log(JSON.stringify(vectors.map((vector) => {
  const key = keyOf(vector);
  return {
    commitment: sha256(Buffer.from(vector.server_seed, 'hex')).toString('hex'),
    key: key.toString('hex'),
    stream: sha256(key, u64(0)).toString('hex'),
    order: order(vector.deck, key),
  };
})));
