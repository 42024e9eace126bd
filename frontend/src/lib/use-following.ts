import { useState } from 'react';

/** A field's value. It follows what others save until somebody has written something here, which is then theirs. */
export function useFollowing<T>(theirs: T): [T, (value: T) => void] {
  const [seen, setSeen] = useState(theirs);
  const [value, setValue] = useState(theirs);
  if (theirs !== seen) {
    setSeen(theirs);
    if (value === seen) setValue(theirs);
  }
  return [value, setValue];
}
