import { Button, type ButtonProps } from '@mantine/core';
import { IconFileZip } from '@tabler/icons-react';
import { useClient } from 'urql';
import { graphql } from '../gql/documents';
import { follow } from '../lib/download';
import { describe } from '../lib/errors';
import { showFailure } from '../lib/notify';
import { ownPath } from '../lib/own-path';
import { toApiError } from '../lib/send-exchange';
import { useAction } from '../lib/use-action';

const ZIP = graphql(`
  query DeliverablesZip($id: ID!) {
    execution(id: $id) {
      id
      deliverablesZipUrl(expiresInSeconds: 60)
    }
  }
`);

const NAME = 'Download all as ZIP';

interface Props extends Omit<ButtonProps, 'children'> {
  executionId: string;
  /** A shorter text where there is no room. */
  label?: string;
}

/** All deliverables of an execution in one file. The link lasts a minute, so it is asked for when somebody wants it. */
export function ZipButton({ executionId, label = NAME, ...props }: Props) {
  const client = useClient();
  const fetchZip = useAction(async () => {
    const { data, error } = await client.query(ZIP, { id: executionId }, { requestPolicy: 'network-only' }).toPromise();
    const url = data?.execution?.deliverablesZipUrl;
    if (error) showFailure(describe(toApiError(error)));
    else if (url === undefined) showFailure('The execution is not there any more.');
    else follow(ownPath(url));
  });
  return (
    <Button
      variant="default"
      leftSection={<IconFileZip size={16} aria-hidden />}
      aria-label={NAME}
      {...props}
      loading={fetchZip.pending}
      onClick={() => void fetchZip.run()}
    >
      {label}
    </Button>
  );
}
