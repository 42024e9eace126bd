import { Anchor, Stack, Text } from '@mantine/core';
import { JsonView } from '../../../components/json-view';

/** Something that is kept elsewhere: its address, and what its maker says about it. */
export function External({ url, metadata }: { url: string; metadata: unknown }) {
  // The server takes no other kind of address; a link must not depend on that.
  const safe = /^https?:\/\//i.test(url);
  return (
    <Stack gap="sm">
      <Text size="sm">
        This is kept elsewhere:{' '}
        {safe ? (
          <Anchor href={url} target="_blank" rel="noreferrer nofollow" inherit style={{ overflowWrap: 'anywhere' }}>
            {url}
          </Anchor>
        ) : (
          url
        )}
      </Text>
      {metadata !== null && metadata !== undefined && <JsonView value={metadata} name="details" />}
    </Stack>
  );
}
