const STEPS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400];
const MOST = 6;
const DAY = 86_400;

/** A round time of which few make up so many seconds: for the lines of a scale. */
export function durationStep(seconds: number): number {
  return STEPS.find((size) => seconds / size <= MOST) ?? Math.ceil(seconds / MOST / DAY) * DAY;
}

/** The marks of a scale on which so many seconds have room. */
export function durationTicks(seconds: number): number[] {
  const step = durationStep(seconds);
  return Array.from({ length: Math.ceil(seconds / step) + 1 }, (_, index) => index * step);
}
