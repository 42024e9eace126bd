import { useMediaQuery } from '@mantine/hooks';

/** Whether the window is as narrow as a phone: the same edge as in the style sheets. */
export function usePhone(): boolean {
  return useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
}
