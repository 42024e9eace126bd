import type { Plugin } from 'vite';

export function graphqlDocuments(): Plugin;
