const BROWSERS: [RegExp, string][] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrom(?:e|ium)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const SYSTEMS: [RegExp, string][] = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS/, 'macOS'],
  [/Linux/, 'Linux'],
];

/** What a browser calls itself, in words that its owner knows. */
export function browserOf(userAgent: string | null): string {
  if (userAgent === null || userAgent === '') return 'Unknown program';
  const find = (choices: readonly [RegExp, string][]) => choices.find(([pattern]) => pattern.test(userAgent))?.[1];
  const browser = find(BROWSERS);
  if (browser === undefined) return userAgent.slice(0, 60);
  const system = find(SYSTEMS);
  return system === undefined ? browser : `${browser} on ${system}`;
}
