// node scripts/npm-licences.mjs FOLDER…   fails if a package in a FOLDER's package-lock.json has a licence that is not
// in the list. The counterpart of deny.toml for npm.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

// None of these asks more of whoever ships the console than to keep the notices.
const ALLOWED = new Set(
  '0BSD Apache-2.0 BSD-2-Clause BSD-3-Clause BlueOak-1.0.0 CC0-1.0 ISC MIT Python-2.0 Unlicense Zlib'.split(' '),
);
// By package, with the reason. They hold for this licence only: a change of licence is seen.
const EXCEPTIONS = [
  { name: /^argparse$/, licence: 'PSF-2.0', reason: 'permissive: the licence of Python itself' },
  { name: /^(@axe-core\/playwright|axe-core)$/, licence: 'MPL-2.0', dev: true, reason: 'a test tool, not part of what we ship' },
  { name: /^lightningcss(-.+)?$/, licence: 'MPL-2.0', dev: true, reason: 'a build tool, not part of what we ship' },
];

/** Whether an SPDX expression can be satisfied with allowed licences: AND binds tighter than OR. */
function satisfied(expression, allowed) {
  const tokens = expression.match(/[()]|[^\s()]+/g) ?? [];
  const any = () => {
    let result = all();
    while (tokens[0] === 'OR') {
      tokens.shift();
      result = all() || result;
    }
    return result;
  };
  const all = () => {
    let result = one();
    while (tokens[0] === 'AND') {
      tokens.shift();
      result = one() && result;
    }
    return result;
  };
  const one = () => {
    if (tokens[0] !== '(') return allowed(tokens.shift());
    tokens.shift();
    const result = any();
    tokens.shift();
    return result;
  };
  return any() && tokens.length === 0;
}

/** Old packages give an object or a list instead of an expression, which npm leaves out of the lock file. */
function fromManifest(folder, path) {
  try {
    const { license, licenses } = JSON.parse(readFileSync(join(folder, path, 'package.json'), 'utf8'));
    return license?.type ?? license ?? licenses?.map(({ type }) => type).join(' OR ');
  } catch {
    return undefined;
  }
}

let count = 0;
const refused = [];
for (const folder of process.argv.slice(2)) {
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
  for (const [path, { version, license, dev = false, link = false }] of Object.entries(packages)) {
    if (path === '' || link) continue;
    count += 1;
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const licence = license ?? fromManifest(folder, path) ?? 'unknown';
    const excepted = (id) => EXCEPTIONS.some((e) => e.name.test(name) && e.licence === id && (dev || !e.dev));
    if (!satisfied(licence, (id) => ALLOWED.has(id) || excepted(id))) {
      refused.push(`${folder}: ${name}@${version} is under ${licence}`);
    }
  }
}

for (const line of refused) console.error(line);
if (refused.length) console.error('Choose another package, or add the licence with its reason in scripts/npm-licences.mjs.');
console.log(`${count} npm packages, ${refused.length} with a licence that we do not accept`);
process.exitCode = refused.length ? 1 : 0;
