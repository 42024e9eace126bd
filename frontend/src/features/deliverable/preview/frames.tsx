import { Skeleton } from '@mantine/core';
import { IconFileDownload } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { EmptyState } from '../../../components/empty-state';
import { ErrorState } from '../../../components/error-state';
import classes from '../deliverable.module.css';
import { usePreviewLink } from '../use-content-link';
import { TwoViews } from './rendered';

/*
 * Content that the browser shows itself. It comes from the server in a sandbox of its own (no script, no form, nothing from
 * elsewhere), and is put into another one here, so that neither has to be trusted alone.
 */

interface Shown {
  id: string;
  version: number;
  name: string;
  mimeType: string;
}

function Linked({ id, version, children }: { id: string; version: number; children: (path: string) => ReactNode }) {
  const { path, error, retry } = usePreviewLink(id, version);
  if (error !== null) return <ErrorState error={error} onRetry={retry} title="The preview could not be loaded" />;
  return path === null ? <Skeleton height={320} radius="md" /> : children(path);
}

/** A picture, also an SVG: what is in an `img` never runs. */
export function Picture({ id, version, name }: Shown) {
  const [broken, setBroken] = useState(false);
  if (broken) return <NoPreview>The browser cannot show this picture.</NoPreview>;
  return (
    <Linked id={id} version={version}>
      {(path) => (
        <div className={classes.picture}>
          <img src={path} alt={name} onError={() => setBroken(true)} />
        </div>
      )}
    </Linked>
  );
}

/** An HTML page, without any of what makes pages move. */
export function Page({ id, version, name, source }: Shown & { source: ReactNode }) {
  const rendered = (
    <Linked id={id} version={version}>
      {(path) => <iframe className={classes.frame} src={path} title={name} sandbox="" referrerPolicy="no-referrer" />}
    </Linked>
  );
  return <TwoViews rendered={rendered} source={source} />;
}

/** Browsers show no PDF inside of a sandbox; their viewers run nothing of it in our origin. */
export function Pdf({ id, version, name }: Shown) {
  return (
    <Linked id={id} version={version}>
      {/* oxlint-disable-next-line react/iframe-missing-sandbox -- see above; the server's own policy for it allows no script */}
      {(path) => <iframe className={classes.frame} src={path} title={name} referrerPolicy="no-referrer" />}
    </Linked>
  );
}

/** Sound and film, or nothing that can be shown. */
export function Media({ id, version, name, mimeType }: Shown) {
  if (mimeType.startsWith('video/')) {
    return (
      <Linked id={id} version={version}>
        {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- agents hand in films without any */}
        {(path) => <video className={classes.frame} src={path} controls aria-label={name} />}
      </Linked>
    );
  }
  if (mimeType.startsWith('audio/')) {
    return (
      <Linked id={id} version={version}>
        {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- as above */}
        {(path) => <audio src={path} controls aria-label={name} style={{ width: '100%' }} />}
      </Linked>
    );
  }
  return <NoPreview>There is no preview for {mimeType.split(';')[0]}.</NoPreview>;
}

function NoPreview({ children }: { children: ReactNode }) {
  return (
    <EmptyState title="Download it to look at it" icon={IconFileDownload}>
      {children}
    </EmptyState>
  );
}
