import { useReducedMotion } from '@mantine/hooks';
import { useReactFlow, useStore, type FitViewOptions, type Viewport } from '@xyflow/react';
import { useEffect, useEffectEvent } from 'react';

interface Props {
  /** Changes with the steps and what they need. */
  shape: string;
  /** What is shown where not all of it can be; nothing if it can. */
  part: Viewport | undefined;
  /** How all of it is shown. */
  fit: FitViewOptions;
  /** The step where something happens, and whether it can be seen from there. */
  interest: string | undefined;
  canSee: (step: string, view: Viewport) => boolean;
  /** Somebody has moved the graph: from then on it stays where they left it. */
  byHand: boolean;
}

/** Shows all of a graph, or the part of a large one where something happens, and goes along with it. */
export function Camera({ shape, part, fit, interest, canSee, byHand }: Props) {
  const { fitView, setViewport, getViewport } = useReactFlow();
  const size = useStore(({ width, height }) => `${width} ${height}`);
  const still = useReducedMotion();

  const arrange = useEffectEvent(() => {
    if (!byHand) void (part ? setViewport(part) : fitView(fit));
  });
  const follow = useEffectEvent((step: string | undefined) => {
    if (!part || byHand || step === undefined || canSee(step, getViewport())) return;
    void setViewport(part, { duration: still ? 0 : 300 });
  });

  useEffect(() => {
    // After the steps have got their new places.
    const timer = setTimeout(arrange, 0, shape, size);
    return () => clearTimeout(timer);
  }, [shape, size]);
  useEffect(() => follow(interest), [interest]);
  return null;
}
