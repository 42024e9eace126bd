import { useState } from 'react';
import type { MemberRowFragment } from '../../../gql/types';
import { DotsButton } from './dots-button';
import { MemberMenu } from './member-menu';

/** A list has many of these: the menu and its dialogs are made for the one that is pressed. */
export function MemberActions({ member, onChanged }: { member: MemberRowFragment; onChanged: () => void }) {
  const [pressed, setPressed] = useState(false);
  if (pressed) return <MemberMenu member={member} onChanged={onChanged} />;
  return <DotsButton name={member.displayName} aria-haspopup="menu" onClick={() => setPressed(true)} />;
}
