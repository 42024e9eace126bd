import { IconFileCertificate } from '@tabler/icons-react';
import { EmptyState } from '../../components/empty-state';

export function EmptyList({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  if (filtered) {
    return (
      <EmptyState title="Nothing fits these filters" icon={IconFileCertificate} action={{ label: 'Show everything', onClick: onClear }}>
        Widen the time, or take a filter away.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No deliverable yet" icon={IconFileCertificate} action={{ label: 'Choose a workflow', to: '/workflows' }}>
      Results that agents hand over are collected here, with all their versions.
    </EmptyState>
  );
}
