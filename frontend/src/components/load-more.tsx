import { Button } from '@mantine/core';

interface Props {
  /** From `useConnection`. */
  list: { hasMore: boolean; fetching: boolean; loadMore: () => Promise<void> };
  children: string;
}

/** The rest of a list that is too short to need `DataList`, and may be long all the same. */
export function LoadMore({ list: { hasMore, fetching, loadMore }, children }: Props) {
  if (!hasMore) return null;
  return (
    <Button variant="default" size="xs" loading={fetching} onClick={() => void loadMore()}>
      {children}
    </Button>
  );
}
