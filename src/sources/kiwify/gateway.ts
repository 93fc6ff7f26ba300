/** Kiwify takes every payment itself. */
export const GATEWAY = 'kiwify';
/** What people call it. */
export const PLATFORM = 'Kiwify';
