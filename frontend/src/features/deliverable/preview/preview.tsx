import { Alert, Text } from '@mantine/core';
import { IconFileOff, IconScissors } from '@tabler/icons-react';
import { CodeEditor } from '../../../components/code-editor/code-editor';
import { EmptyState } from '../../../components/empty-state';
import { TextDiff } from '../../../components/text-diff';
import type { DeliverableContentFragment, DeliverableHeadFragment } from '../../../gql/types';
import { isPage, languageOf } from '../model/language';
import { External } from './external';
import { Media, Page, Pdf, Picture } from './frames';
import { Json } from './json';
import { Rendered } from './rendered';
import { Table } from './table';

interface Props {
  deliverable: DeliverableHeadFragment;
  version: DeliverableContentFragment;
}

/** What a version contains, in the form that suits it. Nothing of it ever becomes part of this page but as text. */
export function Preview({ deliverable, version }: Props) {
  if (deliverable.contentDeletedAt !== null) {
    return (
      <EmptyState title="The content was deleted" icon={IconFileOff}>
        The workspace keeps archived content only for some days. What it was, its size and its hash stay on record.
      </EmptyState>
    );
  }
  if (version.externalUrl !== null) return <External url={version.externalUrl} metadata={version.metadata} />;
  return (
    <>
      {version.preview.truncated && (
        <Alert color="blue" icon={<IconScissors size={18} />} mb="sm" py="xs">
          <Text size="sm">This is the beginning. Download it for all.</Text>
        </Alert>
      )}
      <Content deliverable={deliverable} version={version} />
    </>
  );
}

function Content({ deliverable: { id, name }, version }: Props) {
  const { kind, text, rows, truncated } = version.preview;
  const source = <CodeEditor value={text ?? ''} language={languageOf(version.mimeType, name)} readOnly label={name} maxHeight="72vh" />;
  const shown = { id, version: version.number, name, mimeType: version.mimeType };
  switch (kind) {
    case 'MARKDOWN':
      return <Rendered text={text ?? ''} source={source} />;
    case 'TABLE':
      return <Table rows={rows ?? []} name={name} />;
    case 'IMAGE':
      return <Picture {...shown} />;
    case 'PDF':
      return <Pdf {...shown} />;
    case 'DIFF':
      return <TextDiff unified={text ?? ''} label={name} />;
    case 'JSON':
      return <Json text={text ?? ''} whole={!truncated} name={name} />;
    case 'CODE':
      return isPage(version.mimeType) ? <Page {...shown} source={source} /> : source;
    case 'TEXT':
      return <CodeEditor value={text ?? ''} language="text" readOnly wrap label={name} maxHeight="72vh" />;
    default:
      return <Media {...shown} />;
  }
}
