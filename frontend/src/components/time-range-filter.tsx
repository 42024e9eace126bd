import { Select, TextInput } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { choiceOf, dayOf, PRESETS } from '../lib/time-range';
import { changed } from '../lib/use-url-filters';

interface Props {
  /** What holds when the address says nothing; null for all times. */
  fallback?: string | null;
  label?: string;
}

/** A choice of time that lives in the address: a preset, or two days. Pages read it with `rangeOf`. */
export function TimeRangeFilter({ fallback = null, label = 'Time' }: Props) {
  const [params, setParams] = useSearchParams();
  const choice = choiceOf(params, fallback);
  const set = (changes: Record<string, string | null>) =>
    setParams((before) => changed(before, changes), { replace: true, preventScrollReset: true });

  function choose(value: string | null) {
    const today = dayOf(Date.now());
    if (value === 'custom') return set({ range: null, from: today, until: today });
    set({ range: value === fallback ? null : value, from: null, until: null });
  }

  return (
    // Its fields stand in line with the others of the bar.
    <div style={{ display: 'contents' }}>
      <Select
        aria-label={label}
        placeholder="Any time"
        value={choice}
        onChange={choose}
        clearable={fallback === null}
        allowDeselect={false}
        checkIconPosition="right"
        w={{ base: 'calc(50% - 6px)', xs: 150 }}
        data={[...PRESETS.map(({ value, label: name }) => ({ value, label: name })), { value: 'custom', label: 'Between…' }]}
      />
      {choice === 'custom' && (
        <>
          <DayInput label="From" value={params.get('from')} onChange={(from) => set({ from })} />
          <DayInput label="Until" value={params.get('until')} onChange={(until) => set({ until })} />
        </>
      )}
    </div>
  );
}

/** The browser's own date field: it speaks the reader's language, and phones know it. */
function DayInput({ label, value, onChange }: { label: string; value: string | null; onChange: (day: string | null) => void }) {
  return (
    <TextInput
      type="date"
      aria-label={label}
      value={value ?? ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? null : currentTarget.value)}
      w={{ base: 'calc(50% - 6px)', xs: 150 }}
    />
  );
}
