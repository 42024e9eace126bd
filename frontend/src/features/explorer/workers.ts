import type { Environment } from 'monaco-editor';
import EditorWorker from 'monaco-editor/esm/vs/editor/editor.worker.js?worker';
import JsonWorker from 'monaco-editor/esm/vs/language/json/json.worker.js?worker';
import GraphQLWorker from './graphql.worker.ts?worker';

// GraphiQL has a ready-made file for this, but Vite's dev server cannot handle `?worker` inside node_modules.
const environment: Environment = {
  getWorker(_id, label) {
    if (label === 'json') return new JsonWorker();
    if (label === 'graphql') return new GraphQLWorker();
    return new EditorWorker();
  },
};

window.MonacoEnvironment = environment;
