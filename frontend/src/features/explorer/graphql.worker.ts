// A file of our own around the real worker: only so does Vite's dev server prepare the CommonJS packages that it imports.
import 'monaco-graphql/esm/graphql.worker.js';
