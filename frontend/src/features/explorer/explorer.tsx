import { GraphiQL } from 'graphiql';
import { useEffect, useState } from 'react';
import { send } from '../../lib/api';
import { createSocket } from '../../lib/socket';
import { DEFAULT_TABS } from './model/default-tabs';
import { createFetcher } from './model/fetcher';
// GraphiQL's own style.css is these files and half a megabyte of fonts, which the system's do well without.
import '@graphiql/react/style.css';
import '@graphiql/plugin-doc-explorer/style.css';
import '@graphiql/plugin-history/style.css';
import 'graphiql/graphiql.css';
import './explorer.css';
import './workers';

export default function Explorer() {
  const [{ fetcher, stopAll }] = useState(() => createFetcher(send, createSocket()));

  // GraphiQL leaves its subscription running when it is unmounted.
  useEffect(() => stopAll, [stopAll]);

  // Headers may hold somebody's token, and are therefore not for localStorage.
  return <GraphiQL fetcher={fetcher} defaultTabs={DEFAULT_TABS} shouldPersistHeaders={false} />;
}
