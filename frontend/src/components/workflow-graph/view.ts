import type { Viewport } from '@xyflow/react';
import type { StepStatus } from '../../gql/enums';
import type { GraphStep } from './graph';
import { CLOSE, extentOf, NODE, READABLE, type Places } from './layout';

const MARGIN = 16;

interface Size {
  width: number;
  height: number;
}

/**
 * What to show of a graph that is too large to be read as a whole: the part around a step, with nothing but the graph beside it.
 * Nothing if all of it can be shown.
 */
export function partOf(places: Places, step: string | undefined, { width, height }: Size): Viewport | undefined {
  const place = step === undefined ? undefined : places.get(step);
  if (place === undefined) return undefined;
  const { left, top, wide, high } = extentOf(places);
  if (wide * READABLE <= width && high * READABLE <= height) return undefined;
  return { x: along(width, left, wide, place.x + NODE.width / 2), y: along(height, top, high, place.y + NODE.height / 2), zoom: CLOSE };
}

/** How far a graph is moved in one direction, for what is at `middle` to be in the middle of the window. */
function along(room: number, start: number, length: number, middle: number): number {
  if (length * CLOSE + 2 * MARGIN <= room) return (room - length * CLOSE) / 2 - start * CLOSE;
  const [most, least] = [MARGIN - start * CLOSE, room - MARGIN - (start + length) * CLOSE];
  return Math.max(least, Math.min(most, room / 2 - middle * CLOSE));
}

/** Whether all of a step can be seen. */
export function isInSight(place: { x: number; y: number }, { x, y, zoom }: Viewport, { width, height }: Size): boolean {
  const [left, top] = [place.x * zoom + x, place.y * zoom + y];
  return left >= 0 && top >= 0 && left + NODE.width * zoom <= width && top + NODE.height * zoom <= height;
}

/** What people look for first. */
const URGENT: StepStatus[] = ['AWAITING_APPROVAL', 'RUNNING', 'RETRYING', 'FAILED', 'SCHEDULED'];

/** Where something happens, or has gone wrong. Nothing before the first step, after the last one, and between two. */
export function stepOfInterest(steps: readonly GraphStep[]): string | undefined {
  return URGENT.map((status) => steps.find((step) => step.status === status)?.key).find(Boolean);
}
