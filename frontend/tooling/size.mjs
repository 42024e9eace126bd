// Fails when the console's first load grows too large: the entry's script and everything that it imports at once, compressed.

import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const LIMIT_KIB = 300;
const DIST = new URL('../dist/', import.meta.url);
const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', DIST), 'utf8'));

/** @param {string} key @param {Set<string>} seen */
function collect(key, seen = new Set()) {
  if (seen.has(key)) return seen;
  seen.add(key);
  for (const next of manifest[key].imports ?? []) collect(next, seen);
  return seen;
}

const kib = (bytes) => bytes / 1024;
const gzip = (file) => kib(gzipSync(readFileSync(new URL(file, DIST))).length);
const files = [...collect('index.html')].map((key) => manifest[key].file);
const sizes = files.map((file) => ({ file, size: gzip(file) })).toSorted((a, b) => b.size - a.size);
const total = sizes.reduce((sum, { size }) => sum + size, 0);

for (const { file, size } of sizes) console.log(`${size.toFixed(1).padStart(8)} KiB  ${file}`);
console.log(`${total.toFixed(1).padStart(8)} KiB  of ${LIMIT_KIB} KiB for the first load`);
if (total > LIMIT_KIB) {
  console.error('The first load is too large: load what not every page needs with lazy() or import().');
  process.exitCode = 1;
}
