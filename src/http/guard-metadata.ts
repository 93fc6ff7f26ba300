/** Metadata keys that route decorators write and guards read. */
export const REQUIRED_SCOPE = Symbol('required scope');
export const ALWAYS_NEEDS_KEY = Symbol('always needs a key');
