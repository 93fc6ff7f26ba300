/** What an API key may do. No scope implies another. */
export const SCOPES = ['finance:read', 'finance:write', 'feed:read', 'admin'] as const;

export type Scope = (typeof SCOPES)[number];
