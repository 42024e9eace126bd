// Fails if Cargo.lock holds a version that its author has withdrawn ("yanked") from the registry.
// No stable cargo command answers that, so this reads the answers that `cargo update --dry-run` just left in cargo's
// own cache of the index: for each crate a file of `version NUL json NUL` records after a short header.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

// Withdrawn versions that we keep for now: 'name@version': 'why'.
const EXCEPTIONS = {};

const cargoHome = process.env.CARGO_HOME ?? join(homedir(), '.cargo');
const indexes = join(cargoHome, 'registry', 'index');
const caches = existsSync(indexes) ? readdirSync(indexes).map((name) => join(indexes, name, '.cache')) : [];

function folder(name) {
  if (name.length <= 2) return String(name.length);
  if (name.length === 3) return join('3', name[0]);
  return join(name.slice(0, 2), name.slice(2, 4));
}

/** true, false, or undefined when the index does not say. */
function isYanked(name, version) {
  const file = caches.map((cache) => join(cache, folder(name.toLowerCase()), name.toLowerCase())).find(existsSync);
  if (!file) return undefined;
  const fields = readFileSync(file, 'utf8').split('\0');
  const at = fields.findIndex((field, i) => field === version && fields[i + 1]?.startsWith('{'));
  return at < 0 ? undefined : JSON.parse(fields[at + 1]).yanked === true;
}

const lock = readFileSync(process.argv[2] ?? 'Cargo.lock', 'utf8');
const crates = [...lock.matchAll(/name = "(.+)"\nversion = "(.+)"\nsource = "registry\+/g)].map(([, name, version]) => ({
  id: `${name}@${version}`,
  yanked: isYanked(name, version),
}));
const yanked = crates.filter(({ id, yanked }) => yanked && !EXCEPTIONS[id]);
const unknown = crates.filter(({ yanked }) => yanked === undefined);

for (const { id } of yanked) console.error(`${id} is yanked: update it with \`cargo update\``);
if (unknown.length) console.error(`SKIPPED: whether ${unknown.map(({ id }) => id).join(', ')} were yanked; the index does not say`);
console.log(`${crates.length - unknown.length} crates looked up, ${yanked.length} yanked`);
process.exitCode = yanked.length ? 1 : 0;
