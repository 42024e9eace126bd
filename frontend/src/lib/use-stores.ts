import { useSyncExternalStore } from 'react';
import { apiToken } from './api-token';
import { session, type SessionState } from './session';

export function useSession(): SessionState {
  return useSyncExternalStore(session.subscribe, session.state);
}

export function useApiToken(): string | null {
  return useSyncExternalStore(apiToken.subscribe, apiToken.read);
}
