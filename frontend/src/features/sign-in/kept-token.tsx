import { apiToken } from '../../lib/api-token';
import { leaveFor } from '../../lib/navigate';

/** For who comes here although an API token is kept: it would be used whatever they do next, so they should know. */
export function KeptToken({ next }: { next: string }) {
  return (
    <section className="note" aria-label="Kept API token">
      <p>An API token is kept in this browser and is used instead of your sign-in.</p>
      <div className="row">
        <button type="button" className="button" onClick={() => void leaveFor(next)}>
          Go on with it
        </button>
        <button type="button" className="button" onClick={apiToken.forget}>
          Forget it
        </button>
      </div>
    </section>
  );
}
