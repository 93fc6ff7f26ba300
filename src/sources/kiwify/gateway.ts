/** Kiwify takes every payment itself. */
export const GATEWAY = 'kiwify';
