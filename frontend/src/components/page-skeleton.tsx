import { Skeleton, Stack } from '@mantine/core';

/** The outline of a page that is on its way. */
export function PageSkeleton() {
  return (
    <Stack gap="md" aria-busy="true" role="status" aria-label="Loading">
      <Skeleton height={30} width={220} />
      <Skeleton height={16} width="min(420px, 80%)" />
      {[0, 1, 2, 3].map((row) => (
        <Skeleton key={row} height={64} radius="lg" />
      ))}
    </Stack>
  );
}
