import { useState } from 'preact/hooks';
import type { LiveState } from '../../src/admin/live/live-channel';
import { useLive } from './live';

/** How the organization is doing, as the event `state` of `…/live` told last; undefined: nothing was told yet. */
export function useLiveState(): LiveState | undefined {
  const [state, setState] = useState<LiveState>();
  const [heard] = useState(() => (event: string, data: unknown) => {
    if (event === 'state') setState(data as LiveState);
  });
  useLive(heard);
  return state;
}
