/** Hotmart takes every payment itself. */
export const GATEWAY = 'hotmart';
/** What people call it. */
export const PLATFORM = 'Hotmart';
