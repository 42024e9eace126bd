import { Brand } from './brand';
import { apiToken } from '../../lib/api-token';
import { SignOutButton } from './sign-out-button';
import { TokenPopover } from './token-popover';
import type { Access } from './use-access';
import { ViewerBadge } from './viewer-badge';

export function AccessBar({ access }: { access: Access }) {
  return (
    <header className="bar">
      <Brand>API explorer</Brand>
      {access.status === 'granted' && <Controls by={access.by} identity={access.identity} />}
    </header>
  );
}

function Controls({ by, identity }: { by: 'api-token' | 'session'; identity: string }) {
  return (
    <div className="bar-controls">
      {/* The key forgets the previous identity's name the moment that it stops being true. */}
      <ViewerBadge key={identity} by={by} />
      <TokenPopover>{by === 'api-token' ? 'Change API token' : 'Use an API token'}</TokenPopover>
      {by === 'api-token' ? (
        <button type="button" className="button" onClick={apiToken.forget}>
          Forget token
        </button>
      ) : (
        <SignOutButton />
      )}
    </div>
  );
}
