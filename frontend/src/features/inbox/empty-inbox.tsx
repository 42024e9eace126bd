import { IconFilterOff } from '@tabler/icons-react';
import { EmptyState } from '../../components/empty-state';

export function EmptyInbox({ narrowed, onClear }: { narrowed: boolean; onClear: () => void }) {
  if (narrowed) {
    return (
      <EmptyState title="Nothing fits these filters" icon={IconFilterOff} action={{ label: 'Show everything', onClick: onClear }}>
        Something else may wait for you.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="Nothing waits for you">
      When an agent wants to do something that needs your countersign, it appears here by itself.
    </EmptyState>
  );
}
