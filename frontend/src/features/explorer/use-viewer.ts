import { useEffect, useState } from 'react';
import { fetchViewer, type Viewer } from '../../lib/viewer';

export type ViewerState = { status: 'loading' } | { status: 'loaded'; viewer: Viewer } | { status: 'failed'; error: unknown };

export function useViewer(): [ViewerState, retry: () => void] {
  const [state, setState] = useState<ViewerState>({ status: 'loading' });

  useEffect(() => {
    if (state.status !== 'loading') return;
    fetchViewer().then(
      (viewer) => setState({ status: 'loaded', viewer }),
      (error: unknown) => setState({ status: 'failed', error }),
    );
  }, [state.status]);

  return [state, () => setState({ status: 'loading' })];
}
