import { IconMapQuestion } from '@tabler/icons-react';
import { EmptyState } from '../../components/empty-state';
import { useTitle } from '../../lib/use-title';

export function Component() {
  useTitle('Not found');
  return (
    <EmptyState title="There is nothing here" order={1} icon={IconMapQuestion} action={{ label: 'Go to the inbox', to: '/inbox' }}>
      The address may be mistyped, or what it led to is not there any more.
    </EmptyState>
  );
}
