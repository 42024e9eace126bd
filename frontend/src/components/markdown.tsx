import { Skeleton, Typography } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { visible } from '../lib/hidden';
import classes from './markdown.module.css';

const Impl = lazy(() => import('./markdown-impl'));

/** Markdown from agents and people. No HTML in it is ever taken over, links leave no trace, and pictures are not fetched. */
export function Markdown({ children }: { children: string }) {
  return (
    <Suspense fallback={<Skeleton height={120} radius="md" />}>
      <Typography className={classes.prose}>
        <Impl>{visible(children)}</Impl>
      </Typography>
    </Suspense>
  );
}
