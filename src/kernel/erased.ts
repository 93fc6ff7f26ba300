/** What stands in the place of what was removed of a person. */
export const ERASED = '[erased]';
