import { SegmentedControl } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Markdown } from '../../../components/markdown';

/** Markdown as it is meant to look, and as it is written. */
export function Rendered({ text, source }: { text: string; source: ReactNode }) {
  return <TwoViews rendered={<Markdown>{text}</Markdown>} source={source} />;
}

export function TwoViews({ rendered, source }: { rendered: ReactNode; source: ReactNode }) {
  const [view, setView] = useState('rendered');
  return (
    <>
      <SegmentedControl
        size="xs"
        mb="sm"
        w="fit-content"
        aria-label="View"
        value={view}
        onChange={setView}
        data={[
          { value: 'rendered', label: 'Rendered' },
          { value: 'source', label: 'Source' },
        ]}
      />
      {view === 'rendered' ? rendered : source}
    </>
  );
}
